"""A diagnosed failure for a human: the fact at the user's line, the fix, then the cause and where to read on."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

from cudasmith.model import Candidate, Finding
from cudasmith.model.finding import Fix
from cudasmith.report.as_json import finding_dict
from cudasmith.report.explain import cause, find
from cudasmith.report.findings_text import render_finding

UNKNOWN = "DG000"  # the code of a failure that no diagnosis knows


def render_diagnosis(
    findings: Sequence[Finding], candidate: Candidate | None, log_name: str, *, colour: bool = False
) -> str:
    """Every finding with its cause. `log_name`: shown as the place where there is no candidate."""
    places = [candidate.at(f.span) if candidate else ("", log_name) for f in findings]
    return "\n\n".join(_one(f, *place, colour) for f, place in zip(findings, places, strict=True))


def diagnosis_dict(finding: Finding, candidate: Candidate | None) -> dict[str, Any]:
    """A finding as JSON, with name, cause and the fixed lines."""
    entry = find(finding.code)
    fix = finding.fix if candidate is not None else None
    return {
        **finding_dict(finding),
        "name": entry.name if entry else None,
        "cause": cause(finding.code) or None,
        "fixed_lines": fixed_lines(candidate.at(fix.span)[0], fix) if candidate and fix else None,
    }


def fixed_lines(text: str, fix: Fix) -> list[str]:
    """The lines that a fix touches, as they read after it."""
    lines = text.replace("\r\n", "\n").split("\n")
    span = fix.span
    last = min(span.end_line or span.line, len(lines))
    if not 1 <= span.line <= last:
        return []
    end = span.end_column if span.end_column is not None else span.column
    return (lines[span.line - 1][: span.column - 1] + fix.text + lines[last - 1][end - 1 :]).split("\n")


def _one(finding: Finding, text: str, path: str, colour: bool) -> str:
    parts = [render_finding(finding, text, path, colour=colour)]
    if finding.fix is not None and text:
        parts.append("\n".join(["  fixed:", *(f"      | {line}" for line in fixed_lines(text, finding.fix))]))
    why = cause(finding.code)
    if why:
        paragraphs = [_wrapped(p) for p in re.split(r"\n\s*\n", why)]
        paragraphs[0] = paragraphs[0].replace("         ", "  cause: ", 1)
        parts += [*paragraphs, f"  more: cudasmith explain {finding.code}"]
    return "\n".join(parts)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(
        " ".join(paragraph.split()),
        100,
        initial_indent=" " * 9,
        subsequent_indent=" " * 9,
        break_on_hyphens=False,
    )
