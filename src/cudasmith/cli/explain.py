"""cudasmith explain"""

from __future__ import annotations

import json

import click

from cudasmith.report import explain as pages


@click.command()
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def explain(code: str | None, as_json: bool) -> int:
    """The manual page of a rule, by code (CS101) or name. Without CODE: one line for each rule."""
    text = pages.explain(code) if code else pages.index()
    click.echo(json.dumps({"code": code, "text": text}) if as_json else text, nl=as_json)
    return 0
