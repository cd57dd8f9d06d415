"""check: a Candidate in, findings out. Never runs the candidate and never imports torch."""

from __future__ import annotations

from typing import Literal

import attrs

from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding, Span
from cudasmith.model.undecided import Undecided
from cudasmith.rules._rule import Rule, all_rules
from cudasmith.rules._subject import MODES, Mode, Subject, subject
from cudasmith.source.filemodel import parse_file

__all__ = ["MODES", "CheckResult", "Mode", "check"]

Status = Literal["passed", "failed", "undecided"]


@attrs.frozen
class CheckResult:
    """What the rules say of one candidate, sorted by place. Spans are places in its Python file."""

    sha256: str
    mode: Mode
    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]

    @property
    def status(self) -> Status:
        """failed: an error was found. undecided: none, but a rule whose findings are errors could not tell."""
        if any(f.severity == "error" for f in self.findings):
            return "failed"
        errors = {r.code for r in all_rules() if r.severity[self.mode] == "error"}
        return "undecided" if any(u.code in errors for u in self.undecided) else "passed"


def check(candidate: Candidate, mode: Mode = "strict") -> CheckResult:
    """Every static rule against one file.

    strict: own kernels only, everything the contract asks. default: what is wrong or will go wrong.
    lenient: as default, for files that leave operators to PyTorch on purpose.
    """
    target = subject(parse_file(candidate), mode)
    verdicts = {verdict for rule in all_rules() for verdict in _verdicts(rule, target)}
    findings = [v for v in verdicts if isinstance(v, Finding)]
    undecided = [v for v in verdicts if isinstance(v, Undecided)]
    return CheckResult(
        sha256=candidate.sha256,
        mode=mode,
        findings=tuple(sorted(findings, key=lambda f: (*_place(f.span), f.code, f.message))),
        undecided=tuple(sorted(undecided, key=lambda u: (*_place(u.span), u.code, u.reason))),
    )


def _verdicts(rule: Rule, target: Subject) -> list[Finding | Undecided]:
    try:
        return list(rule.check(target))
    except RecursionError:
        return [Undecided(rule.code, "expressions nest deeper than this rule can follow")]


def _place(span: Span | None) -> tuple[int, int]:
    return (span.line, span.column) if span else (0, 0)
