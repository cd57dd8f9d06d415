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
from cudasmith.report.as_json import error_dict, finding_dict
from cudasmith.report.build_text import render_build, render_warnings
from cudasmith.report.diagnosis_text import diagnosis_dict, render_diagnosis
from cudasmith.report.errors import render_error

if TYPE_CHECKING:
    from cudasmith.stages.build import BuildReport

    Answer = BuildReport | CudasmithError

FORM = "a file to build calls torch.utils.cpp_extension.load_inline with its CUDA source"


@click.command(cls=JsonErrors)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--arch",
    default=None,
    metavar="sm_90,...",
    help="Architectures of the device code, for example sm_80,sm_90 or, with the instructions of one chip alone, sm_90a."
    "  [the GPU's, else sm_90]",
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
    options = BuildOptions(arches(arch), executor, builder, timeout)
    read = [_read(file) for file in files]
    candidates = [one for one in read if isinstance(one, Candidate)]
    answers: list[Answer] = []
    with Progress(sys.stderr) as progress:
        built = build_all(candidates, options, lambda text: progress.stage(f"build: {text}"))
        for one in read:
            answers.append(next(built) if isinstance(one, Candidate) else one)
            progress.clear()
            _tell(answers[-1], as_json)
    if as_json:
        page = [_as_dict(f, one, answer) for f, one, answer in zip(files, read, answers, strict=True)]
        click.echo(json.dumps({"files": page}, indent=2))
    return max(_exit_code(answer) for answer in answers)


def _read(file: str) -> Candidate | CudasmithError:
    """A file that cannot be read is told beside the others' answers."""
    try:
        return read_candidate(file, FORM)
    except CudasmithError as error:
        return error


def _tell(answer: Answer, as_json: bool) -> None:
    if isinstance(answer, CudasmithError):
        click.echo(render_error(answer), err=True)
    elif not as_json:
        _print(answer.candidate, answer)
        sys.stdout.flush()  # what is done is not lost when the others are stopped


def _exit_code(answer: Answer) -> int:
    if isinstance(answer, CudasmithError):
        return answer.exit_code
    if answer.ok:
        return 0
    return 4 if any(b.status is BuildStatus.NO_TOOLCHAIN for b in answer.builds) else 1


def _as_dict(file: str, read: Candidate | CudasmithError, answer: Answer) -> dict[str, Any]:
    """One form for one file and for several, as of `check --json`."""
    path = read.path if isinstance(read, Candidate) else file
    if isinstance(answer, CudasmithError):
        return {"path": path, "builds": [], "findings": [], "warnings": [], "error": error_dict(answer)}
    return {
        "path": path,
        "builds": to_data(answer.builds),
        "findings": [diagnosis_dict(f, answer.candidate) for f in answer.findings],
        "warnings": [finding_dict(f) for f in answer.warnings],
        "error": None,
    }


def _print(candidate: Candidate, report: BuildReport) -> None:
    from cudasmith.gpu.occupancy import occupancy

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for one in report.builds:
        click.echo(render_build(one, candidate.path, occupancy, named=len(report.builds) > 1))
    if report.findings:
        text = render_diagnosis(report.findings, candidate, candidate.path, colour=colour)
        click.echo("\n" + text, color=colour)
    if report.warnings:
        click.echo("\n" + render_warnings(report.warnings, candidate, colour=colour), color=colour)


def arches(text: str | None) -> tuple[str, ...]:
    """`sm_90,sm_80` as a tuple, each once; without a text this machine's GPU, else sm_90.

    Raises: CudasmithError for what is none, or none that nvcc knows.
    """
    from cudasmith.gpu.device import usable_device
    from cudasmith.gpu.toolchain import find_nvcc, known_arches, takes_arch

    if text is None:
        device = usable_device()
        return (device.arch if device else "sm_90",)
    found = tuple(dict.fromkeys(_torchs_spelling(part.strip()) for part in text.split(",")))
    nvcc = find_nvcc()
    known = known_arches(nvcc) if nvcc else ()
    for part in found:
        form = re.fullmatch(r"(sm_\d{2,3})[af]?", part)
        unknown = form is None or (known and form[1] not in known)
        if unknown or (nvcc and part[-1] in "af" and not takes_arch(nvcc, part)):
            raise _no_arch(part, known, f"nvcc {nvcc.version}" if nvcc else "")
    return found


def _torchs_spelling(part: str) -> str:
    """`8.0`, `9.0a` and `compute_90` as sm_80, sm_90a and sm_90; all else as it is."""
    return re.sub(r"^(?:(\d{1,2})\.(\d)|compute_(\d{2,3}))(?=[af]?$)", r"sm_\1\2\3", part)


def _no_arch(wrong: str, known: tuple[str, ...], tool: str) -> CudasmithError:
    listed = f"{tool} knows {', '.join(known)}; " if known else ""
    message = f"--arch: {wrong!r} is no architecture" + (f" that {tool} knows" if known else "")
    return CudasmithError(
        "CSB022", message, help=f"{listed}write one or several, for example --arch sm_80,sm_90"
    )
