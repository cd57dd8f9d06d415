"""Condition: one thing about this machine that a build or a verdict needs."""

from __future__ import annotations

from typing import Literal

import attrs

Status = Literal["ok", "warn", "fail"]


@attrs.frozen
class Condition:
    """`fail`: cudasmith cannot do its work here. `warn`: it copes, but your own builds, or speed, suffer."""

    name: str
    status: Status
    found: str
    why: str = ""  # what follows from it
    remedy: str = ""  # the command that mends it, or a sentence where none can
    fixable: bool = False  # `doctor --fix` mends it


@attrs.frozen
class Mend:
    """What `doctor --fix` did. `done` is false where it tried in vain or left something alone."""

    what: str
    done: bool = True
