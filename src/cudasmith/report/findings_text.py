"""Findings for a human: the fact first, the line with a caret, then what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudasmith.model.finding import Finding, Span
from cudasmith.model.undecided import Undecided

COLOURS = {"error": "31", "warning": "33", "info": "36", "undecided": "35"}
MAX_LINE = 140  # columns of source shown; longer lines are cut around the caret


def render_finding(finding: Finding, text: str, path: str, *, colour: bool = False) -> str:
    """One finding, several lines, no trailing newline."""
    head = f"{_paint(finding.severity, finding.severity, colour)}[{finding.code}] {finding.message}"
    lines = [head, *excerpt(finding.span, text, path)]
    lines += [f"  note: {note}" for note in finding.notes]
    if finding.confidence != "high":
        lines.append(f"  note: confidence {finding.confidence}")
    if finding.help:
        lines.append(f"  help: {finding.help}")
    return "\n".join(lines)


def render_undecided(undecided: Undecided, text: str, path: str, *, colour: bool = False) -> str:
    """One thing that a rule could not tell."""
    head = f"{_paint('undecided', 'undecided', colour)}[{undecided.code}] {undecided.reason}"
    return "\n".join([head, *excerpt(undecided.span, text, path)])


def render_all(
    findings: Iterable[Finding], undecided: Iterable[Undecided], text: str, path: str, *, colour: bool = False
) -> str:
    """Every finding, then what is undecided, with empty lines between."""
    blocks = [render_finding(f, text, path, colour=colour) for f in findings]
    blocks += [render_undecided(u, text, path, colour=colour) for u in undecided]
    return "\n\n".join(blocks)


def summary(
    findings: Sequence[Finding],
    undecided: Sequence[Undecided],
    *,
    ignored: int = 0,
    known: int = 0,
    fixed: int = 0,
) -> str:
    """`2 errors, 1 note, 1 undecided, 1 ignored`, or `no findings`."""
    names = {"error": "error", "warning": "warning", "info": "note"}
    counts = [(sum(f.severity == s for f in findings), n) for s, n in names.items()]
    parts = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    if undecided:
        parts.append(f"{len(undecided)} undecided")
    aside = {"ignored": ignored, "in the baseline": known, "fixed": fixed}
    return ", ".join([*(parts or ["no findings"]), *(f"{n} {word}" for word, n in aside.items() if n)])


def excerpt(span: Span | None, text: str, path: str) -> list[str]:
    """`--> path:line:column`, the source line and carets below the span."""
    if span is None:
        return [f"  --> {path}"]
    lines = text.replace("\r\n", "\n").split("\n")
    place = [f"  --> {path}:{span.line}:{span.column}"]
    if not 1 <= span.line <= len(lines):
        return place
    line = lines[span.line - 1]
    one_line = span.end_line in (None, span.line) and span.end_column is not None
    end = span.end_column if one_line and span.end_column is not None else len(line.rstrip()) + 1
    end = end if one_line or span.end_line is not None else span.column + 1
    cut = max(0, span.column - MAX_LINE // 2) if len(line) > MAX_LINE else 0
    shown = line[cut : cut + MAX_LINE]
    width = max(1, min(end, cut + len(shown) + 1) - span.column)
    lead = "".join("\t" if c == "\t" else " " for c in shown[: span.column - 1 - cut])
    number = str(span.line)
    return [*place, f"{number:>5} | {shown}", f"{'':>5} | {lead}{'^' * width}"]


def _paint(word: str, kind: str, colour: bool) -> str:
    return f"\x1b[1;{COLOURS[kind]}m{word}\x1b[0m" if colour else word
