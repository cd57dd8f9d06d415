"""Python string literals: their value together with the place of each of its characters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import attrs

UNKNOWN = -1  # the character has no single place in the file

_OPEN = re.compile(r"([A-Za-z]{0,3})(\"\"\"|'''|\"|')")
_STOP = {quote: re.compile(rf"\\.|{quote}", re.DOTALL) for quote in ('"""', "'''", '"', "'")}
_BETWEEN = re.compile(r"(?:\s|\\\n|#[^\n]*)*")
_ESCAPE = re.compile(
    r"\\(?:\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL
)


@attrs.frozen
class MappedText:
    """A string value; `places[i]` is the file offset of character i, or UNKNOWN."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def unmapped(cls, text: str) -> MappedText:
        return cls(text, (UNKNOWN,) * len(text))

    @classmethod
    def join(cls, parts: list[MappedText]) -> MappedText:
        if len(parts) == 1:
            return parts[0]
        return cls("".join(p.text for p in parts), tuple(i for p in parts for i in p.places))

    def cut(self, start: int, end: int) -> MappedText:
        return MappedText(self.text[start:end], self.places[start:end])

    def place(self, index: int) -> int | None:
        """File offset of a character; just behind the last one for the end of the text."""
        if 0 <= index < len(self.places) and self.places[index] != UNKNOWN:
            return self.places[index]
        if 0 < index == len(self.places) and self.places[index - 1] != UNKNOWN:
            return self.places[index - 1] + 1
        return None

    def place_of(self, offset: int) -> int | None:
        """The first character that stands at a file offset."""
        try:
            return self.places.index(offset)
        except ValueError:
            return None


@attrs.frozen
class Token:
    """One string token: lower-case prefix and the file offsets of its body."""

    prefix: str
    start: int
    end: int


def tokens(source: str, start: int, end: int) -> Iterator[Token]:
    """The adjacent string tokens between two offsets. Stops at anything else."""
    at = start
    while at < end:
        opened = _OPEN.match(source, at)
        if not opened:
            return
        body, quote = opened.end(), opened[2]
        closing = (m.start() for m in _STOP[quote].finditer(source, body, end) if m[0] == quote)
        stop = next(closing, end)
        yield Token(opened[1].lower(), body, stop)
        gap = _BETWEEN.match(source, stop + len(quote))
        at = gap.end() if gap else end


def decode(source: str, start: int, end: int, raw: bool) -> MappedText:
    """The value of the body of one plain token (no f-string)."""
    text: list[str] = []
    places: list[int] = []
    at = start
    for found in () if raw else _ESCAPE.finditer(source, start, end):
        value = _unescape(found[0])
        text += (source[at : found.start()], value)
        places += range(at, found.start())
        places += [found.start()] * len(value)
        at = found.end()
    return MappedText("".join([*text, source[at:end]]), (*places, *range(at, end)))


def _unescape(escape: str) -> str:
    if escape == "\\\n":
        return ""
    try:
        return str(ast.literal_eval(f'"{escape}"')) if escape != '\\"' else '"'
    except (SyntaxError, ValueError):
        return escape


def plain(source: str, start: int, end: int, value: str) -> MappedText:
    """The constant between two offsets. Without a map when our reading is not Python's."""
    parts = [decode(source, t.start, t.end, "r" in t.prefix) for t in tokens(source, start, end)]
    mapped = MappedText.join(parts)
    return mapped if mapped.text == value else MappedText.unmapped(value)


def fstring_parts(source: str, start: int, end: int) -> Iterator[MappedText | None]:
    """The parts of an f-string in order: literal text, or None for one replacement field."""
    for token in tokens(source, start, end):
        raw = "r" in token.prefix
        if "f" not in token.prefix:
            yield decode(source, token.start, token.end, raw)
            continue
        at = begin = token.start
        while at < token.end:
            two = source[at : at + 2]
            if two in ("{{", "}}"):
                yield decode(source, begin, at + 1, raw)
                at = begin = at + 2
            elif source[at] == "{":
                yield decode(source, begin, at, raw)
                yield None
                at = begin = _field_end(source, at, token.end)
            else:
                at += 1
        yield decode(source, begin, token.end, raw)


def _field_end(source: str, at: int, end: int) -> int:
    depth = 0
    while at < end:
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
        if depth == 0:
            break
    return at
