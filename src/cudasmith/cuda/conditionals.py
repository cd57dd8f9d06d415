"""What of a text the preprocessor leaves out for certain: `#if 0`, and what follows `#if 1 ... #else`."""

from __future__ import annotations

import re

import attrs

from cudasmith.cuda.syntax import SKIP

_DIRECTIVE = re.compile(
    rf"{SKIP.pattern}|^[ \t]*\#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>(?:\\\n|[^\n])*)",
    re.DOTALL | re.MULTILINE,
)
_CONSTANT = {"0": False, "false": False, "1": True, "true": True}


@attrs.define
class _Group:
    """One `#if ... #endif`. `taken`: no later branch is compiled. `dead_since`: of the branch that is read now."""

    taken: bool = False
    open: bool = False  # some condition is not known here
    dead_since: int | None = None
    marks: list[tuple[int, int]] = attrs.field(factory=list)


def live(text: str) -> str:
    """The text with spaces in the place of what is never compiled; every other character keeps its place."""
    dead: list[tuple[int, int]] = []
    groups: list[_Group] = []
    for found in _DIRECTIVE.finditer(text):
        word = found["word"]
        if word is None or (not groups and not word.startswith("if")):
            continue
        if word.startswith("if"):
            groups.append(_Group())
        group = groups[-1]
        group.marks.append(found.span())
        if group.dead_since is not None:
            dead.append((group.dead_since, found.start()))
            group.dead_since = None
        if word == "endif":
            groups.pop()
            dead += [] if group.open else group.marks
        else:
            _enter(group, word, found["rest"], found.end())
    for start, end in dead:
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
    return text


def _enter(group: _Group, word: str, rest: str, at: int) -> None:
    """Begins a branch: dead after one that is taken and where its own condition is 0."""
    condition = re.sub(r"//.*|/\*.*?\*/|[()\s]", "", rest)
    holds = True if word == "else" else _CONSTANT.get(condition) if word in ("if", "elif") else None
    if group.taken or holds is False:
        group.dead_since = at
    group.taken = group.taken or holds is True
    group.open = group.open or (holds is None and group.dead_since is None)
