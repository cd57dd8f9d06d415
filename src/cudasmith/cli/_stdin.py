"""stdin, for the verbs that take `-`."""

from __future__ import annotations

import sys

from cudasmith.model import ProblemError
from cudasmith.model.candidate import STDIN


def stdin_bytes(limit: int = -1) -> bytes:
    """At most `limit` bytes of stdin; all of it without one. Raises: ProblemError CSP016 where stdin is closed."""
    if sys.stdin is None:
        help = "name a file, or give the text on stdin"
        raise ProblemError("CSP016", "stdin is closed: there is nothing to read", where=STDIN, help=help)
    return sys.stdin.buffer.read(limit)
