"""check of damaged files: whatever is cut, doubled or swapped, it ends with findings at places that exist.

FUZZ_EXAMPLES=20000 looks for longer, at other texts each time. What failed once is kept in KEPT.
"""

from __future__ import annotations

import contextlib
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudasmith.model import Candidate, ProblemError, Span
from cudasmith.model.checked import CheckedFile
from cudasmith.report.findings_text import render_all
from cudasmith.report.sarif import check_sarif
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import all_rules
from cudasmith.source.document import Document
from cudasmith.stages._check.fixes import fixed
from cudasmith.stages.check import MODES, CheckResult, Mode, check
from cudasmith.stages.extract import extract

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
TEXTS = sorted({CORRECT, DECLARED, *(t for r in all_rules() for t in (*r.BAD, *r.GOOD))})
ODD = ["(", ")", '"""', "'", "{", "}", "<<<", ">>>", "\\", "/*", "*/", "//", "#", "\0", "\r", "\ufeff", "é", "```", ";", "\t",
       "# cudasmith: ignore[CS405]", "lambda", "@", "[", "else", "\x0c", "\u2028"]  # fmt: skip

Edit = tuple[str, float, float, str]
EDITS = st.tuples(
    st.sampled_from(["cut", "double", "swap_chars", "swap_lines", "insert", "end_here"]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(ODD),
)


def damaged(text: str, edits: list[Edit]) -> str:
    for kind, first, second, odd in edits:
        lines = text.split("\n")
        a, b = sorted((int(first * len(text)), int(second * len(text))))
        i, j = int(first * (len(lines) - 1)), int(second * (len(lines) - 1))
        if kind == "cut":
            text = text[:a] + text[min(b, a + 200) :]
        elif kind == "double":
            text = text[:b] + text[max(a, b - 200) : b] + text[b:]
        elif kind == "swap_chars" and b < len(text) and a != b:
            text = text[:a] + text[b] + text[a + 1 : b] + text[a] + text[b + 1 :]
        elif kind == "swap_lines":
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        elif kind == "insert":
            text = text[:a] + odd + text[a:]
        elif kind == "end_here":
            text = text[: max(a, 1)]
    return text


def told_well(raw: str, mode: Mode) -> None:
    document = Document.of(raw)
    candidate = Candidate(document.text, "f.py")
    result = check(candidate, mode)
    lines = document.text.split("\n")
    for verdict in (*result.all, *(f.fix for f in result.findings if f.fix)):
        if verdict.span is not None:
            _exists(verdict.span, lines)
    page = CheckedFile(candidate, mode, result.status, result.findings, result.undecided, result.ignored)
    check_sarif([page], "0")
    render_all(result.findings, result.undecided, document.text, "f.py")
    _mends(document, result, mode)
    with contextlib.suppress(ProblemError):  # "no file in it" is an answer
        extract(f"Here:\n```python\n{raw}\n```\n", "reply")


def _exists(span: Span, lines: list[str]) -> None:
    assert 1 <= span.line <= len(lines)
    assert 1 <= span.column <= len(lines[span.line - 1]) + 2  # Python's parser points behind the line end too
    if span.end_line is not None and span.end_column is not None:
        assert (span.end_line, span.end_column) >= (span.line, span.column)
        assert span.end_line <= len(lines) + 1


def _mends(document: Document, result: CheckResult, mode: Mode) -> None:
    done = fixed(document, "f.py", lambda c: check(c, mode), unsafe=True)
    assert bool(result.unreadable) or not done.result.unreadable
    assert bool(done.applied) == (done.document != document)
    if done.applied:
        assert fixed(done.document, "f.py", lambda c: check(c, mode), unsafe=True).document == done.document


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 1000,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    text=st.sampled_from(TEXTS), edits=st.lists(EDITS, min_size=1, max_size=4), mode=st.sampled_from(MODES)
)
def test_a_damaged_file_is_told_well(text: str, edits: list[Edit], mode: Mode) -> None:
    told_well(damaged(text, edits), mode)


KEPT: list[str] = [edit(("import torch\n", "import torch\0\n")), ""]


@pytest.mark.parametrize("text", KEPT)
def test_what_failed_once_is_told_well(text: str) -> None:
    told_well(text, "strict")
