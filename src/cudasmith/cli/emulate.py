"""cudasmith emulate"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from cudasmith.cli._check_inputs import read_candidate
from cudasmith.cli._json_errors import JsonErrors
from cudasmith.model import CudasmithError, Emulation, RunStatus

FORM = "a file to emulate defines ModelNew, or is a script that calls what its load_inline has built"
REFERENCE = "--reference takes the file with class Model and get_inputs()"
TARGETS = ("h200", "a100", "rtx4090", "t4")  # the emulator's own; naming them here keeps --help quick


@click.command(cls=JsonErrors)
@click.argument("file", metavar="FILE")
@click.option("--reference", metavar="REF", help="The file with Model and get_inputs.  [FILE itself]")
@click.option("--mode", type=click.Choice(["checked", "fast"]), default="checked", show_default=True,
              help="checked: every access is checked. fast: five times quicker; no races, no unwritten memory.")  # fmt: skip
@click.option("--kernel", metavar="NAME", help="Tell only of this kernel. All run, and all are checked.")
@click.option("--order", type=click.Choice(["forward", "reverse", "random"]), default="forward", show_default=True,
              help="Of blocks, and of threads between barriers.")  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Of inputs and of order."
)
@click.option("--target", type=click.Choice(TARGETS), default="h200", show_default=True,
              help="The GPU whose properties and limits the device has.")  # fmt: skip
@click.option("--shrink/--no-shrink", default=True,
              help="Make inputs smaller that are too large for a CPU.  [--shrink]")  # fmt: skip
@click.option("--backward/--no-backward", default=True,
              help="Run a backward that FILE defines, and compare its gradients.  [--backward]")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(min=0.1), default=120.0, show_default=True, metavar="SECONDS",
              help="For each of import, constructor, forward and backward; builds not counted.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout (docs/report-schema.md).")
def emulate(
    file: str,
    reference: str | None,
    mode: Any,
    kernel: str | None,
    order: Any,
    seed: int,
    target: str,
    shrink: bool,
    backward: bool,
    timeout: float,
    as_json: bool,
) -> int:
    """Run the CUDA kernels of FILE on the CPU, check every access, and compare the outputs with a reference.

    FILE, yours or anybody's, defines ModelNew; without one it is run as a script. No GPU and no nvcc are needed. `-` reads
    stdin. The run is a process of its own: a crash or an endless loop ends that run only.

    Exit codes: 0 nothing found and no output wrong; 1 findings, a wrong output, or it does not build or run; 2 wrong usage
    or input; 3 no such file; 4 a compiler is missing, or the emulator lacks what FILE uses; 130, 143, 129 stopped by Ctrl-C,
    SIGTERM, SIGHUP.
    """
    from cudasmith.report.emulation_text import render_emulation
    from cudasmith.report.progress import Progress
    from cudasmith.stages.emulate import EmulateOptions
    from cudasmith.stages.emulate import emulate as run

    if timeout != timeout:
        raise CudasmithError(
            "CSW007", "--timeout is not a number", help="give seconds, for example --timeout 60"
        )
    candidate = read_candidate(file, FORM)
    compared_with = None if reference is None else read_candidate(reference, REFERENCE)
    options = EmulateOptions(mode, order, seed, target, kernel, shrink, backward, timeout)
    with Progress(sys.stderr) as progress:
        seen = run(candidate, compared_with, options, lambda text: progress.stage(f"emulate: {text}"))
    if as_json:
        from cudasmith.report.as_json import emulation_json

        click.echo(emulation_json(seen))
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        click.echo(render_emulation(seen, candidate, colour=colour), color=colour)
    return exit_code(seen)


def exit_code(seen: Emulation) -> int:
    """What the emulator lacks is not known, and no error of the file."""
    if seen.status is RunStatus.NO_TOOLCHAIN:
        return 4
    return 0 if seen.passed else 1
