"""cudasmith doctor"""

from __future__ import annotations

import json
import os
import platform
import sys

import attrs
import click

from cudasmith import __version__
from cudasmith.cli._json_errors import JsonErrors
from cudasmith.report.doctor_text import render_doctor
from cudasmith.stages import doctor as stage

MISSING = 4


@click.command(cls=JsonErrors)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
@click.option(
    "--fix",
    "mending",
    is_flag=True,
    help="Do what is safe: make the cache, name libcudart.so there, remove stale locks, ninja into a venv.",
)
def doctor(as_json: bool, mending: bool) -> int:
    """Say what this machine can do, and how to get what is missing. Nothing is asked, torch is not imported.

    Exit codes: 0 when models can be ported and verified here; 4 when something needed is missing.
    """
    mends = stage.fix() if mending else None
    conditions = stage.examine()
    if as_json:
        page = {
            "version": __version__,
            "python": sys.version.split()[0],
            "conditions": [attrs.asdict(c) for c in conditions],
            "mends": None if mends is None else [attrs.asdict(m) for m in mends],
        }
        click.echo(json.dumps(page, indent=2))
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        title = f"cudasmith {__version__}, Python {sys.version.split()[0]}, {platform.system()} {platform.machine()}"
        click.echo(render_doctor(conditions, mends, title, colour=colour), color=colour)
    return MISSING if any(c.status == "fail" for c in conditions) else 0
