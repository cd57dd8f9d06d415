"""Tokens of CUDA C++ text, with offsets. Works in macro bodies and broken code, where a grammar gives up."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

TokenKind = Literal["name", "number", "string", "op"]

_PATTERN = re.compile(
    r"""
    (?P<skip>\s+|\\\n|//[^\n]*|/\*.*?\*/)
  | (?P<string>(?:u8|[uUL])?R"(?P<delim>[^()\\\s]{0,16})\(.*?\)(?P=delim)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
      |'(?:\\.|[^'\\\n])+')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<op><<<|>>>|::|->|\#\#|.)
    """,
    re.VERBOSE | re.DOTALL,
)

CLOSES = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """One token; `start` and `end` are offsets into the text."""

    kind: TokenKind
    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """All tokens except white space and comments. Never raises: unknown characters are single operators."""
    tokens = []
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        if kind != "skip":
            tokens.append(Token("string" if kind == "delim" else kind, match[0], *match.span()))  # type: ignore[arg-type]
    return tokens


def matching(tokens: list[Token], opening: int) -> int | None:
    """Index of the bracket that closes the one at `opening`, or None."""
    depth = 0
    for i in range(opening, len(tokens)):
        if tokens[i].kind == "op":
            if tokens[i].text in CLOSES:
                depth += 1
            elif tokens[i].text in CLOSES.values():
                depth -= 1
                if depth == 0:
                    return i
    return None


def line_of(text: str, offset: int) -> int:
    """Line of the offset, from 1."""
    return text.count("\n", 0, offset) + 1
