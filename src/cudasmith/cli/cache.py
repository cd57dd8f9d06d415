"""cudasmith cache"""

from __future__ import annotations

import json

import click

from cudasmith.cli._json_errors import JsonErrors
from cudasmith.store import Usage


@click.group()
def cache() -> None:
    """What was built and is kept, so that it need not be built again.

    It lies in CUDASMITH_CACHE, else in the user's cache directory, and holds up to CUDASMITH_CACHE_BYTES, else
    10 GiB; entries used longest ago go first.
    """


@cache.command(cls=JsonErrors)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def info(as_json: bool) -> int:
    """Where the cache lies and what it holds."""
    from cudasmith.store import usage

    found = usage()
    click.echo(json.dumps(_data(found)) if as_json else _text(found))
    return 0


@cache.command(cls=JsonErrors)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def clear(as_json: bool) -> int:
    """Remove all entries. Builds that run meanwhile end well; modules that are loaded stay loaded."""
    from cudasmith.store import clear as clear_all

    removed = clear_all()
    text = f"removed {removed.entries} entries, {_size(removed.size_bytes)}, from {removed.path}"
    click.echo(json.dumps(_data(removed)) if as_json else text)
    return 0


def _data(found: Usage) -> dict[str, object]:
    kinds = {kind: {"entries": count, "bytes": size} for kind, (count, size) in found.kinds.items()}
    return {
        "path": str(found.path),
        "limit_bytes": found.limit_bytes,
        "bytes": found.size_bytes,
        "kinds": kinds,
    }


def _text(found: Usage) -> str:
    lines = [f"{found.path}", f"{'':2}{'kind':<18} {'entries':>8} {'size':>10}"]
    lines += [
        f"{'':2}{kind:<18} {count:>8} {_size(size):>10}"
        for kind, (count, size) in sorted(found.kinds.items())
    ]
    lines.append(
        f"{'':2}{'together':<18} {found.entries:>8} {_size(found.size_bytes):>10}  of {_size(found.limit_bytes)}"
    )
    return "\n".join(lines)


def _size(size_bytes: int) -> str:
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size_bytes >= scale:
            return f"{size_bytes / scale:.1f} {unit}"
    return f"{size_bytes} B"
