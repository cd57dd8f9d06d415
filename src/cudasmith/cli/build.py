"""cudasmith build"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from cudasmith.cli._check_inputs import read_candidate
from cudasmith.cli._json_errors import JsonErrors
from cudasmith.model import BuildStatus, Candidate, CudasmithError
from cudasmith.model.jsonio import to_data
from cudasmith.report.as_json import error_dict
from cudasmith.report.build_text import render_build
from cudasmith.report.diagnosis_text import diagnosis_dict, render_diagnosis
from cudasmith.report.errors import render_error

if TYPE_CHECKING:
    from cudasmith.stages.build import BuildReport

FORM = "a file to build calls torch.utils.cpp_extension.load_inline with its CUDA source"


@click.command(cls=JsonErrors)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--arch",
    default=None,
    metavar="sm_90,...",
    help="Architectures of the device code.  [the GPU's, else sm_90]",
)
@click.option("--executor", type=click.Choice(["gpu", "emulator"]), default="gpu", show_default=True,
              help="gpu: a module for the GPU (none is needed to build it). emulator: one for the CPU.")  # fmt: skip
@click.option("--builder", type=click.Choice(["fast", "torch"]), default="fast", show_default=True,
              help="fast: seconds, with light headers in torch's place. torch: its own load_inline, minutes.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(min=1), default=600.0, show_default=True, metavar="SECONDS")
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def build(
    files: tuple[str, ...], arch: str | None, executor: Any, builder: Any, timeout: float, as_json: bool
) -> int:
    """Build the extensions of each FILE and say what each kernel needs; explain what fails at FILE's own line.

    FILE is any Python file that calls torch.utils.cpp_extension.load_inline; `-` reads stdin. With --builder fast it is
    not run. Builds run side by side, as many as memory and cores bear, other processes' builds counted; MAX_JOBS sets
    another bound. Where the light headers cannot stand in for torch's, torch's own build is made, and the output says why.

    Exit codes, the largest of all files: 0 built; 1 it does not build; 2 wrong usage, or nothing to build; 3 no such file; 4 a tool is missing.
    """
    from cudasmith.report.progress import Progress
    from cudasmith.stages.build import BuildOptions, build_all

    if timeout != timeout:
        raise CudasmithError(
            "CSW007", "--timeout is not a number", help="give seconds, for example --timeout 60"
        )
    candidates = [read_candidate(file, FORM) for file in files]
    options = BuildOptions(arches(arch), executor, builder, timeout)
    with Progress(sys.stderr) as progress:
        answers = build_all(candidates, options, lambda text: progress.stage(f"build: {text}"))
    both = list(zip(candidates, answers, strict=True))
    if as_json:
        click.echo(json.dumps({"files": [_as_dict(c, a) for c, a in both]}, indent=2))
    for candidate, answer in both:
        if isinstance(answer, CudasmithError):
            click.echo(render_error(answer), err=True)
        elif not as_json:
            _print(candidate, answer)
    return max(_exit_code(answer) for answer in answers)


def _exit_code(answer: BuildReport | CudasmithError) -> int:
    if isinstance(answer, CudasmithError):
        return answer.exit_code
    if answer.ok:
        return 0
    return 4 if any(b.status is BuildStatus.NO_TOOLCHAIN for b in answer.builds) else 1


def _as_dict(candidate: Candidate, answer: BuildReport | CudasmithError) -> dict[str, Any]:
    """One form for one file and for several, as of `check --json`."""
    if isinstance(answer, CudasmithError):
        return {"path": candidate.path, "builds": [], "findings": [], "error": error_dict(answer)}
    findings = [diagnosis_dict(f, candidate) for f in answer.findings]
    return {"path": candidate.path, "builds": to_data(answer.builds), "findings": findings, "error": None}


def _print(candidate: Candidate, report: BuildReport) -> None:
    from cudasmith.gpu.occupancy import occupancy

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for one in report.builds:
        click.echo(render_build(one, candidate.path, occupancy))
    if report.findings:
        text = render_diagnosis(report.findings, candidate, candidate.path, colour=colour)
        click.echo("\n" + text, color=colour)


def arches(text: str | None) -> tuple[str, ...]:
    """`sm_90,sm_80` as a tuple; without a text this machine's GPU, else sm_90."""
    from cudasmith.gpu.device import usable_device

    if text is None:
        device = usable_device()
        return (device.arch if device else "sm_90",)
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    wrong = [part for part in found if not re.fullmatch(r"sm_\d{2,3}[af]?", part)]
    if wrong or not found:
        raise CudasmithError(
            "CSB022",
            f"{wrong[0] if wrong else text!r} is no architecture",
            help="write them as nvcc does, for example --arch sm_80,sm_90",
        )
    return found
