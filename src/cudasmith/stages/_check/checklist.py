"""The checklist of a finished file, answered by what the rules said."""

from __future__ import annotations

from collections.abc import Mapping

from cudasmith.model.checked import ChecklistPoint
from cudasmith.model.finding import Finding
from cudasmith.rules._rule import POINTS, all_rules
from cudasmith.stages.check import CheckResult

_NO_RULE: Mapping[str, str] = {
    "code-first": "a file does not tell what the answer said before it",
    "small-test": "check runs nothing: cudasmith emulate FILE runs the kernels at small sizes",
}
_ONLY_HALF: Mapping[str, str] = {
    "reverse-scan": "no flips stand around a scan; whether a loop runs from the end, cudasmith emulate shows with a reference",
    "balanced-index": "the brackets balance; to test the expressions, run cudasmith emulate FILE",
}
_WITHOUT_CUDA = ("pure-source", "no-fallback")  # points that are decided without a call of load_inline


def checklist(result: CheckResult) -> tuple[ChecklistPoint, ...]:
    """Every point in order. `result` is of all rules; what a comment or a baseline sets aside counts as found."""
    return tuple(_point(key, text, result) for key, text in POINTS.items())


def _point(key: str, text: str, result: CheckResult) -> ChecklistPoint:
    rules = tuple(r.code for r in all_rules() if r.answers == key)
    said = [v for v in result.all if v.code in rules]
    found = [_told(v) for v in said if isinstance(v, Finding)]
    if found:
        return ChecklistPoint(key, text, "no", rules, "; ".join(dict.fromkeys(found)))
    open_ = [f"{v.code} {v.reason}" for v in said if not isinstance(v, Finding)]
    why = "; ".join(dict.fromkeys(open_)) or _unproved(key, rules, result)
    return ChecklistPoint(key, text, "not decided" if why else "yes", rules, why)


def _unproved(key: str, rules: tuple[str, ...], result: CheckResult) -> str:
    """Why the silence of the rules proves nothing; empty where it proves the point."""
    if not rules:
        return _NO_RULE.get(key, "no rule decides it")
    if result.unreadable:
        return result.unreadable
    if result.unseen and key not in _WITHOUT_CUDA:
        return result.unseen
    return _ONLY_HALF.get(key, "")


def _told(finding: Finding) -> str:
    line = f" (line {finding.span.line})" if finding.span else ""
    return f"{finding.code} {finding.message}{line}"
