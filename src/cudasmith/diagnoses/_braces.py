"""Braces of a C++ text that do not pair up, and the place that indentation shows for the missing one."""

from __future__ import annotations

import re
from typing import Literal

import attrs

from cudasmith.cuda.tokens import Token, tokenize

_HEAD = re.compile(
    r"\s*(?:\}\s*)?(?:for|if|else|while|do|switch|struct|class|namespace)\b|\S.*\)\s*(?:const\s*)?$"
)


@attrs.frozen
class BraceFault:
    """`unclosed`: the `{` at `at` has no `}`. `unopened`: the line at `at` lacks its `{`. `surplus`: the `}` at `at`
    has none and needs none."""

    kind: Literal["unclosed", "unopened", "surplus"]
    at: int


def brace_fault(text: str) -> BraceFault | None:
    """The first brace without a partner; None where they pair up, or where macros or #if make that uncertain."""
    braces = [t for t in tokenize(_without_directives(text)) if t.text in ("{", "}") and t.kind == "op"]
    opened = sum(t.text == "{" for t in braces)
    if 2 * opened == len(braces):
        return None
    return _unclosed(text, braces) if 2 * opened > len(braces) else _unopened(text, braces)


def _without_directives(text: str) -> str:
    """The text with lines of the preprocessor blanked, and with them what stands behind an #else."""
    found, skipping, continued = [], False, False
    for line in text.split("\n"):
        directive = continued or line.lstrip().startswith("#")
        if directive and not continued and re.match(r"\s*#\s*el", line):
            skipping = True
        elif directive and not continued and re.match(r"\s*#\s*endif", line):
            skipping = False
        continued = directive and line.endswith("\\")
        found.append(" " * len(line) if directive or skipping else line)
    return "\n".join(found)


def _unclosed(text: str, braces: list[Token]) -> BraceFault | None:
    """An opener whose block is left by a `}` or by a new function that stands further to the left."""
    stack: list[Token] = []
    for brace in braces:
        if brace.text == "{":
            if (
                stack
                and _begins_function(text, brace)
                and _indent(text, stack[-1].start) >= _indent(text, brace.start)
            ):
                return BraceFault("unclosed", stack[-1].start)
            stack.append(brace)
            continue
        if not stack:
            return None
        if _first(text, brace) and _indent(text, brace.start) < _indent(text, stack[-1].start):
            return BraceFault("unclosed", stack[-1].start)
        stack.pop()
    return BraceFault("unclosed", stack[-1].start) if stack else None


def _begins_function(text: str, brace: Token) -> bool:
    """Whether a `{` opens the body of a function written at the left edge."""
    start = text.rfind("\n", 0, brace.start) + 1
    head = text[start : brace.start]
    return bool(re.match(r"(?!namespace|extern)[A-Za-z_][\w:<>*& ]*\([^()]*\)\s*$", head)) or head.startswith(
        "__global__"
    )


def _unopened(text: str, braces: list[Token]) -> BraceFault | None:
    stack: list[Token] = []
    for brace in braces:
        if brace.text == "{":
            stack.append(brace)
            continue
        inner = stack.pop() if stack else None
        if inner is not None and not (
            _first(text, brace) and _indent(text, brace.start) > _indent(text, inner.start)
        ):
            continue
        head = _head_before(text, brace)
        return BraceFault("unopened", head) if head is not None else BraceFault("surplus", brace.start)
    return None


def _head_before(text: str, brace: Token) -> int | None:
    """The nearest line above, as far to the left as a `}`, if it is the head of a block without a `{`."""
    width = _indent(text, brace.start)
    end = text.rfind("\n", 0, brace.start)
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        line = re.sub(r"//.*", "", text[start:end]).rstrip()
        if line.strip() and len(line) - len(line.lstrip()) <= width:
            near = len(line) - len(line.lstrip()) == width
            return start if near and _HEAD.match(line) and not line.endswith(("{", "}", ";", ",")) else None
        end = start - 1
    return None


def _indent(text: str, offset: int) -> int:
    """The indentation of the line of an offset."""
    line = text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0]
    return len(line) - len(line.lstrip())


def _first(text: str, token: Token) -> bool:
    return not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()
