"""The verb `explain`."""

from __future__ import annotations

import json
import sys

import click

from cudasmith.model.errors import CudasmithError
from cudasmith.report import explain as pages


@click.command()
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def explain(code: str | None, as_json: bool) -> None:
    """The manual page of a rule, by code (CS101) or name. Without CODE: one line for each rule."""
    try:
        text = pages.explain(code) if code else pages.index()
    except CudasmithError as error:
        click.echo(f"error: {error.message}\n  help: {error.help}", err=True)
        sys.exit(error.exit_code)
    click.echo(json.dumps({"code": code, "text": text}) if as_json else text, nl=as_json)
