"""A user's mistake as text: the fact, the place, the remedy."""

from __future__ import annotations

from cudasmith.model import CudasmithError


def render_error(error: CudasmithError) -> str:
    """At most a few lines; the first is `error[CODE]: fact`."""
    lines = [f"error[{error.code}]: {error.message}"]
    if error.where:
        lines.append(f"  --> {error.where}")
    if error.help:
        lines.append(f"  help: {error.help}")
    return "\n".join(lines)
