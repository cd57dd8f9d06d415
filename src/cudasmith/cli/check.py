"""cudasmith check"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from cudasmith.cli._json_errors import JsonErrors
from cudasmith.model import Candidate
from cudasmith.model.candidate import STDIN
from cudasmith.report.as_json import finding_dict, undecided_dict
from cudasmith.report.findings_text import render_all, summary
from cudasmith.stages.check import MODES, CheckResult, Mode, sizes_of
from cudasmith.stages.check import check as run_check
from cudasmith.stages.read import decoded, file_text

FORM = "a file to check defines class ModelNew(nn.Module) and its CUDA source"
PROBLEM = "--problem takes the file with class Model and get_inputs()"


@click.command(cls=JsonErrors)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="strict",
    show_default=True,
    help="strict: own kernels only. default: what is wrong. lenient: PyTorch operators allowed.",
)
@click.option(
    "--token-budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="Note when the file has more than about N tokens.",
)
@click.option(
    "--problem", metavar="REF", help="The file with Model and get_inputs: launches are judged at its sizes."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def check(
    files: tuple[str, ...], mode: Mode, token_budget: int | None, problem: str | None, as_json: bool
) -> int:
    """Check ModelNew files against the contract without running them. `-` reads stdin.

    Exit codes: 0 nothing wrong, 1 an error was found or a rule of that weight could not decide,
    2 wrong usage, or a file that is no text or empty, 3 no such file.
    """
    candidates = [read_candidate(path) for path in files]
    sizes = sizes_of(read_candidate(problem, PROBLEM)) if problem is not None else None
    results = [(candidate, run_check(candidate, mode, token_budget, sizes)) for candidate in candidates]
    if as_json:
        click.echo(json.dumps({"mode": mode, "files": [_as_dict(c, r) for c, r in results]}, indent=2))
    else:
        for candidate, result in results:
            _print(candidate, result)
    return 1 if any(r.status != "passed" for _, r in results) else 0


def read_candidate(path: str, form: str = FORM) -> Candidate:
    """Raises: ProblemError, in the words of `port`, when there is no text to check."""
    if path == "-":
        name, text = STDIN, decoded(sys.stdin.buffer.read(), STDIN, form=form)
    else:
        name, text = path, file_text(Path(path), path, form=form)
    return Candidate(text.replace("\r\n", "\n").replace("\r", "\n"), name)  # lines as Python counts them


def _print(candidate: Candidate, result: CheckResult) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    body = render_all(result.findings, result.undecided, candidate.text, candidate.path, colour=colour)
    if body:
        click.echo(body + "\n", color=colour)
    click.echo(f"{candidate.path}: {result.status}: {summary(result.findings, result.undecided)}")


def _as_dict(candidate: Candidate, result: CheckResult) -> dict[str, Any]:
    return {
        "path": candidate.path,
        "sha256": result.sha256,
        "status": result.status,
        "findings": [finding_dict(f) for f in result.findings],
        "undecided": [undecided_dict(u) for u in result.undecided],
    }
