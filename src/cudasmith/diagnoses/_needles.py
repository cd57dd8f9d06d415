"""Texts that every match of a regular expression contains: to look for them first is far faster than the expression."""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as parser
else:
    import sre_constants as sre
    import sre_parse as parser

_SHORTEST = 3  # characters of a text that is worth looking for
_MOST = 12  # texts: with more the expression itself is as fast


@functools.lru_cache(maxsize=512)
def needles(pattern: str | re.Pattern[str]) -> tuple[str, ...]:
    """Texts of which every match contains at least one; empty where the expression has none that are long enough."""
    compiled = re.compile(pattern)
    if compiled.flags & re.IGNORECASE:
        return ()
    best = _of_sequence(parser.parse(compiled.pattern, compiled.flags & ~re.UNICODE).data)
    return tuple(dict.fromkeys(best)) if len(best) <= _MOST else ()


def _of_sequence(items: list[tuple[Any, Any]]) -> list[str]:
    """The best choice among the parts that each match must pass."""
    choices: list[list[str]] = []
    run = ""
    for kind, value in [*items, (None, None)]:
        if kind is sre.LITERAL:
            run += chr(value)
            continue
        if len(run) >= _SHORTEST:
            choices.append([run])
        run = ""
        if inner := _of_part(kind, value):
            choices.append(inner)
    return max(choices, key=lambda c: (min(map(len, c)), -len(c)), default=[])


def _of_part(kind: Any, value: Any) -> list[str]:
    if kind is sre.SUBPATTERN:
        added = value[1]
        return [] if added & re.IGNORECASE else _of_sequence(list(value[3]))
    if kind is sre.BRANCH:
        ways = [_of_sequence(list(way)) for way in value[1]]
        return [text for way in ways for text in way] if all(ways) else []
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[0] > 0:
        return _of_sequence(list(value[2]))
    return []
