"""With --json, what went wrong is JSON too: a program that reads stdout needs not read stderr."""

from __future__ import annotations

from typing import Any

import click

from cudasmith.model import CudasmithError
from cudasmith.report.as_json import error_json


class JsonErrors(click.Command):
    """A verb with the parameter `as_json`, or with `form`, which may be "json"."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CudasmithError as error:
            if ctx.params.get("as_json") or ctx.params.get("form") == "json":
                click.echo(error_json(error))
            raise  # main says it on stderr
