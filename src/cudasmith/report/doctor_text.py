"""The conditions of a machine for a human: a column of verdicts, then what to type."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from cudasmith.model import Condition, Mend

COLUMNS = 80
COLOURS = {"ok": "32", "warn": "33", "fail": "31"}
LABEL = 16
INDENT = 2 + 4 + 2 + LABEL
COMMAND_INDENT = 8
COMMANDS = ("export ", "mkdir ", "unset ", "sudo ", "rm ", "nvidia-smi", "cudasmith ")


def render_doctor(
    conditions: Sequence[Condition], mends: Sequence[Mend] | None, title: str, *, colour: bool = False
) -> str:
    """The whole page. `mends` is None without --fix."""
    lines = [title, ""]
    if mends is not None:
        lines += [*_mended(mends), ""]
    for condition in conditions:
        lines += _condition(condition, colour)
    return "\n".join([*lines, "", *_summary(conditions, mends)])


def _condition(condition: Condition, colour: bool) -> list[str]:
    word = condition.status.ljust(4)
    mark = f"\x1b[1;{COLOURS[condition.status]}m{word}\x1b[0m" if colour else word
    found = _wrapped(condition.found, INDENT)
    head = f"  {mark}  {condition.name:<{LABEL}}{found[0].lstrip()}"
    lines = [head, *found[1:], *_wrapped(condition.why, INDENT)]
    for line in condition.remedy.splitlines():
        lines += command_lines(line) if _is_command(line) else _wrapped(line, INDENT)
    return lines


def command_lines(command: str) -> list[str]:
    """A command that can be copied: broken with backslashes between its words, never inside one."""
    pad, more = " " * COMMAND_INDENT + "$ ", " " * COMMAND_INDENT + "    "
    if command.startswith("export "):
        return [pad + command]  # a path has no place to break
    first, *rest = _words(command)
    lines, line = [], pad + first
    for word in rest:
        if len(line) + len(word) + 3 > COLUMNS:
            lines.append(line + " \\")
            line = more + word
        else:
            line += " " + word
    return [*lines, line]


def _words(command: str) -> list[str]:
    """Split at spaces outside quotes."""
    words = shlex.shlex(command, posix=False, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = ""
    return list(words)


def _is_command(line: str) -> bool:
    return line.startswith(COMMANDS) or " -m pip install " in line


def _wrapped(text: str, indent: int) -> list[str]:
    if not text:
        return []
    pad = " " * indent
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=pad,
        subsequent_indent=pad,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _mended(mends: Sequence[Mend]) -> list[str]:
    if not mends:
        return ["--fix: nothing to do"]
    lines = []
    for mend in mends:
        lines += textwrap.wrap(
            f"{'did ' if mend.done else 'not '}  {mend.what}",
            COLUMNS,
            initial_indent="  ",
            subsequent_indent=" " * 8,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return ["--fix:", *lines]


def _summary(conditions: Sequence[Condition], mends: Sequence[Mend] | None) -> list[str]:
    failed = [c.name for c in conditions if c.status == "fail"]
    warned = sum(c.status == "warn" for c in conditions)
    warnings = f"{warned} warning{'s' if warned != 1 else ''}"
    if failed:
        text = f"This machine is not ready: {', '.join(failed)}. {warnings.capitalize()}."
    else:
        text = f"Models can be ported and verified here. {warnings.capitalize()}."
    lines = _wrapped(text, 0)
    fixable = [c.name for c in conditions if c.fixable and c.status != "ok"]
    if fixable and mends is None:
        lines += _wrapped(f"`cudasmith doctor --fix` mends: {', '.join(fixable)}.", 0)
    return lines
