"""cudasmith port"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cudasmith.cli._json_errors import JsonErrors
from cudasmith.model import BuildStatus, CudasmithError, Report, VerdictStatus


@click.command(cls=JsonErrors)
@click.argument("file", type=click.Path(allow_dash=False))
@click.option("-o", "--output", type=click.Path(), help="Where the new file goes. [FILE's name + _new.py]")
@click.option("--tier", type=click.Choice(["fast", "minimal"]), default="fast", show_default=True,
              help="fast: the kernels to ship. minimal: the shortest correct ones.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail when an operator would stay a PyTorch call.")
@click.option("--executor", type=click.Choice(["auto", "emulator", "gpu", "none"]), default="auto", show_default=True,
              help="Where the result is verified. auto: a GPU if there is one. none: not at all; exit code 0 then "
                   "means emitted, not verified.")  # fmt: skip
@click.option(
    "--full/--no-full", default=True, help="On a GPU, verify at the problem's own sizes too.  [--full]"
)
@click.option("--builder", type=click.Choice(["fast", "torch"]), default="fast", show_default=True,
              help="On a GPU: fast builds in seconds, torch with its own load_inline, a minute.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(min=1), default=120.0, show_default=True, metavar="SECONDS",
              help="Limit for one run of your code, start-up not counted.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The report as JSON on stdout (docs/report-schema.md).")
def port(
    file: str,
    output: str | None,
    tier: str,
    strict: bool,
    executor: str,
    full: bool,
    builder: str,
    timeout: float,
    as_json: bool,
) -> int:
    """Port FILE, a PyTorch reference in KernelBench form, to one file with custom CUDA operators.

    FILE defines `class Model(nn.Module)`, `get_inputs()` and `get_init_inputs()`. The result is verified
    case by case against float64 before it is called good.

    Exit codes: 0 verified (with --executor none: emitted, not verified); 1 verdict failed or findings;
    2 wrong usage or input; 3 no such file; 4 a compiler or GPU is missing; 130, 143, 129 stopped by Ctrl-C, SIGTERM, SIGHUP.
    """
    from cudasmith.pipeline import Options, port_problem
    from cudasmith.report.progress import Progress
    from cudasmith.report.write import check_writable, output_path, write_atomically
    from cudasmith.stages.read import read

    if timeout != timeout:
        raise CudasmithError(
            "CSW007", "--timeout is not a number", help="give seconds, for example --timeout 60"
        )
    problem = read(file)
    target = output_path(f"{Path(file).stem}_new.py" if output is None else output)
    if target.resolve() == Path(file).resolve():
        raise CudasmithError(
            "CSW005", "the output would overwrite the reference", help="choose another name with -o"
        )
    check_writable(target)
    options = Options(tier="minimal" if tier == "minimal" else "fast", strict=strict, executor=executor, full=full, builder=builder,
                      timeout_s=timeout)  # fmt: skip
    with Progress(sys.stderr) as progress:
        report = port_problem(problem, options, progress.stage)
    write_atomically(target, report.candidate.text)
    _show(report, target, as_json)
    return exit_code(report, executor)


def _show(report: Report, target: Path, as_json: bool) -> None:
    if as_json:
        from cudasmith.report.as_json import report_json

        click.echo(report_json(report, str(target)))
    else:
        from cudasmith.report.text import print_report

        print_report(report, str(target))


def exit_code(report: Report, executor: str = "auto") -> int:
    """The design's exit codes for a whole report."""
    if any(b.status is BuildStatus.NO_TOOLCHAIN for b in report.builds):
        return 4
    if any(b.status is not BuildStatus.OK for b in report.builds):
        return 1
    if any(f.severity == "error" for f in report.findings):
        return 1
    if executor == "none":
        return 0
    passed = bool(report.verdicts) and all(v.status is VerdictStatus.PASSED for v in report.verdicts)
    return 0 if passed else 1
