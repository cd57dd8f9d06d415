"""What a rule calls a safe fix mends what it found."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate, Finding
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import edit
from cudasmith.rules._rule import Rule, all_rules
from cudasmith.rules._subject import subject
from cudasmith.source.filemodel import parse_file
from cudasmith.source.text import SourceText


def findings(rule: Rule, text: str) -> list[Finding]:
    return [v for v in rule.check(subject(parse_file(Candidate(text)), "strict")) if isinstance(v, Finding)]


def applied(text: str, fixes: set[Fix]) -> str:
    source = SourceText.of(text)
    for fix in sorted(fixes, key=lambda f: (f.span.line, f.span.column), reverse=True):
        start = source.starts[fix.span.line - 1] + fix.span.column - 1
        end = (
            source.starts[(fix.span.end_line or fix.span.line) - 1]
            + (fix.span.end_column or fix.span.column)
            - 1
        )
        text = text[:start] + fix.text + text[end:]
    return text


CASES = [
    pytest.param(rule, text, id=f"{rule.code}-{i}")
    for rule in all_rules()
    for i, text in enumerate(rule.BAD)
    if any(f.fix is not None and f.fix.safe for f in findings(rule, text))
]


@pytest.mark.parametrize(("rule", "text"), CASES)
def test_a_safe_fix_removes_its_finding(rule: Rule, text: str) -> None:
    found = findings(rule, text)
    fixes = {f.fix for f in found if f.fix is not None and f.fix.safe}
    assert len(findings(rule, applied(text, fixes))) <= len([f for f in found if f.fix is None])


def test_a_launch_check_is_not_put_behind_a_return() -> None:
    launch = "scale_thread_per_element<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>("
    text = edit(("  C10_CUDA_KERNEL_LAUNCH_CHECK();\n", ""), (launch, "if (n > 9) return " + launch))
    rule = next(r for r in all_rules() if r.code == "CS405")
    assert [f.fix for f in findings(rule, text)] == [None]
