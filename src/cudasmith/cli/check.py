"""The verb `check`."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import attrs
import click

from cudasmith.model.candidate import Candidate
from cudasmith.report.findings_text import render_all, summary
from cudasmith.rules._subject import MODES, Mode
from cudasmith.stages.check import CheckResult
from cudasmith.stages.check import check as run_check


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="strict",
    show_default=True,
    help="strict: own kernels only. default: what is wrong. lenient: PyTorch operators allowed.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def check(files: tuple[str, ...], mode: Mode, as_json: bool) -> None:
    """Check ModelNew files against the contract, without running them. `-` reads stdin.

    Exit codes: 0 no error found, 1 an error, or a rule of that weight could not decide,
    3 a file is missing or empty.
    """
    results = [(candidate, run_check(candidate, mode)) for candidate in map(_read, files)]
    if as_json:
        click.echo(json.dumps({"mode": mode, "files": [_as_dict(c, r) for c, r in results]}, indent=2))
    else:
        for candidate, result in results:
            _print(candidate, result)
    sys.exit(1 if any(r.status != "passed" for _, r in results) else 0)


def _read(path: str) -> Candidate:
    try:
        with click.open_file(path, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        click.echo(f"error: cannot read {path}: {error}", err=True)
        sys.exit(3)
    if not text.strip():
        click.echo(f"error: {path} is empty", err=True)
        sys.exit(3)
    return Candidate(text, "<stdin>" if path == "-" else path)


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
        "findings": [attrs.asdict(f) for f in result.findings],
        "undecided": [attrs.asdict(u) for u in result.undecided],
    }
