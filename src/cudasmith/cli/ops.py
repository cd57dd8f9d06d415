"""cudasmith ops"""

from __future__ import annotations

import json
import sys

import click

from cudasmith.cli._json_errors import JsonErrors


@click.command(cls=JsonErrors)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def ops(as_json: bool) -> int:
    """List the operator units and the kernel of each tier."""
    from cudasmith.ops import units

    found = units()
    if as_json:
        rows = [{"unit": u.name, "variants": u.variants, "about": _about(u)} for u in found]
        click.echo(json.dumps(rows, indent=2))
        return 0
    for u in found:
        click.echo(f"{u.name:<12} {_about(u)}")
        for tier, name in u.variants.items():
            click.echo(f"{'':<12} {tier}: {name}")
    return 0


def _about(unit: object) -> str:
    module = sys.modules[type(unit).__module__]
    return (module.__doc__ or "").split("\n")[0]
