"""What the compilers warn of in a source that they accept."""

from __future__ import annotations

import re

_WARNING = re.compile(
    r"^(?:(?:cuda\.cu|main\.cpp)(?:\(\d+\)|:\d+:\d+): warning\b|(?:ptxas|nvcc) warning\s*:).*$", re.MULTILINE
)


def warnings(log: str) -> tuple[str, ...]:
    """Each warning's own line once, in the order of the log: of the user's sources, ptxas and nvcc, not of headers.

    Both halves of nvcc's work say the same.
    """
    return tuple(dict.fromkeys(_WARNING.findall(log)))
