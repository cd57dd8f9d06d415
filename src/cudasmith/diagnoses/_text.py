"""Places in the user's file of a text that a failure quotes."""

from __future__ import annotations

import re

from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.text import SourceText


def only_place(candidate: Candidate | None, pattern: str | re.Pattern[str]) -> Span | None:
    """The one place of the file that matches, or its group "at"; None where there is none, or more than one."""
    if candidate is None:
        return None
    source = SourceText.of(candidate.text)
    found = list(re.finditer(pattern, source.text))
    if len(found) != 1:
        return None
    return source.span(*found[0].span("at" if "at" in found[0].re.groupindex else 0))


def quoted(candidate: Candidate | None, call: str, message: str) -> Span | None:
    """The one `call(... "text` of the file whose literal begins the message; `call` is a regular expression."""
    if candidate is None:
        return None
    source = SourceText.of(candidate.text)
    found = [
        m
        for m in re.finditer(rf'(?:{call})\s*\([^;"]*"(?P<said>(?:[^"\\\n]|\\.)+)"', source.text)
        if message.startswith(m["said"].replace('\\"', '"').rstrip())
    ]
    return source.span(found[0].start(), found[0].end()) if len(found) == 1 else None
