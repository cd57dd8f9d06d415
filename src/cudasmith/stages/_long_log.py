"""Of a log that is too long to be read whole: its ends, and between them the lines that speak of a failure."""

from __future__ import annotations

import re

MOST = 3_000_000  # characters that are read: two seconds
_END = MOST // 3
_LINE = 2_000  # of one line between the ends
_SPEAKS = re.compile(r"^.*\b(?:error|Error|FAILED|fatal|undefined|Traceback|Killed)\b.*$", re.MULTILINE)
NOTE = "of a log of {:.0f} MB the two ends and the lines between them that speak of an error were read"


def shortened(text: str) -> str:
    """The text, or what is read of it. Lines stay whole but for those that are longer than is read."""
    if len(text) <= MOST:
        return text
    head, middle, tail = text[:_END], text[_END:-_END], text[-_END:]
    kept: list[str] = []
    room = _END
    for found in _SPEAKS.finditer(middle):
        line = found[0][:_LINE]
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([head, *kept, tail])
