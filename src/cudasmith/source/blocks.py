"""The fenced blocks of a Markdown text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

import attrs

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*$")
_TRIES = 50  # ends that are tried for one block


@attrs.frozen
class Block:
    """`line` is that of the opening fence; `last` that of the closing one, or of the text's end when it is open."""

    language: str
    text: str
    line: int
    last: int
    closed: bool


def fenced_blocks(text: str, whole: Callable[[str], bool]) -> list[Block]:
    """Every block in order. Where a fence stands inside a block, as in a docstring, the block ends at the first
    closing fence that makes it `whole`; at the first of all where none does."""
    lines = text.split("\n")
    blocks = []
    at = 0
    while at < len(lines):
        opened = _FENCE.match(lines[at])
        if opened is None:
            at += 1
            continue
        block = _block(lines, at, opened, whole)
        blocks.append(block)
        at = block.last
    return blocks


def _block(lines: list[str], at: int, opened: re.Match[str], whole: Callable[[str], bool]) -> Block:
    language = opened["info"].split()[0].lower() if opened["info"] else ""
    closing = (i for i in range(at + 1, len(lines)) if _closes(lines[i], opened["marks"]))
    ends = list(islice(closing, _TRIES))
    bodies = ((end, _body(lines[at + 1 : end], opened["indent"])) for end in ends)
    for end, body in bodies:
        if whole(body):
            return Block(language, body, at + 1, end + 1, True)
    last = ends[0] if ends else len(lines)
    return Block(
        language, _body(lines[at + 1 : last], opened["indent"]), at + 1, last + bool(ends), bool(ends)
    )


def _closes(line: str, marks: str) -> bool:
    found = _FENCE.match(line)
    return found is not None and not found["info"] and found["marks"].startswith(marks)


def _body(lines: list[str], indent: str) -> str:
    """The lines without the fence's own indentation, as far as they have it."""
    cut = [line.removeprefix(indent) if line.startswith(indent) else line.lstrip() for line in lines]
    return "\n".join(cut) + "\n" if cut else ""


def is_fence(line: str) -> bool:
    return _FENCE.match(line) is not None
