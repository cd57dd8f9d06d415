"""Places in the user's file of a text that a failure quotes."""

from __future__ import annotations

import re

from cudasmith.cuda.tokens import tokenize
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.text import SourceText


def namespace_at(text: str, offset: int) -> str:
    """The namespaces around a place of C++ text, from the outside in; empty outside of all."""
    inside: list[str] = []
    head: list[str] = []
    for token in tokenize(text[:offset]):
        if token.text == "{":
            m = re.search(r"(?:^| )namespace ((?:\w+(?: :: )?)+)$", " ".join(head))
            inside.append(m[1].replace(" ", "") if m else "")
        elif token.text == "}" and inside:
            inside.pop()
        head = [] if token.text in ("{", "}", ";") else [*head[-8:], token.text]
    return "::".join(name for name in inside if name)


def only_place(candidate: Candidate | None, pattern: str | re.Pattern[str]) -> Span | None:
    """The one place of the file that matches, or its group "at"; None where there is none, or more than one."""
    if candidate is None:
        return None
    source = SourceText.of(candidate.text)
    found = list(re.finditer(pattern, source.text))
    if len(found) != 1:
        return None
    return source.span(*found[0].span("at" if "at" in found[0].re.groupindex else 0))


def quoted(candidate: Candidate | None, call: str, message: str) -> list[Span]:
    """Each `call(... "text` of the file whose literal begins the message; `call` is a regular expression."""
    if candidate is None:
        return []
    source = SourceText.of(candidate.text)
    return [
        source.span(m.start(), m.end())
        for m in re.finditer(rf'(?:{call})\s*\([^;"]*"(?P<said>(?:[^"\\\n]|\\.)+)"', source.text)
        if message.startswith(m["said"].replace('\\"', '"').rstrip())
    ]
