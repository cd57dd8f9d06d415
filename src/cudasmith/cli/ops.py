"""cudasmith ops"""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def ops(as_json: bool) -> int:
    """List the operator units and the kernel of each tier."""
    from cudasmith.ops import units

    rows = [
        {"unit": u.name, "variants": dict(u.variants), "about": (type(u).__doc__ or "").split("\n")[0]}
        for u in units()
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        variants = "  ".join(f"{tier}: {name}" for tier, name in dict(row["variants"]).items())
        click.echo(f"{row['unit']!s:<12} {variants}")
    return 0
