"""check: a Candidate in, findings out. Never runs the candidate and never imports torch.

A problem, where one is given, is run once in a worker, for its sizes.
"""

from __future__ import annotations

from typing import Literal

import attrs

from cudasmith.model import Capture
from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding, Span
from cudasmith.model.undecided import Undecided
from cudasmith.rules._rule import all_rules
from cudasmith.rules._subject import MODES, Mode, subject
from cudasmith.source.filemodel import parse_file
from cudasmith.source.needed import only_needed
from cudasmith.stages.capture import capture
from cudasmith.stages.read import from_source

__all__ = ["MODES", "CheckResult", "Mode", "check", "sizes_of"]

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


def sizes_of(reference: Candidate) -> Capture:
    """What forward of the reference is called with. Its kernels, if it has any, are not built.

    Raises: ProblemError, in the words of `port`.
    """
    problem = from_source(reference.text, reference.path)
    alone = {problem.class_name, "get_inputs", "get_init_inputs"}
    return capture(attrs.evolve(problem, source=only_needed(problem.source, alone, name=problem.path)))


def check(
    candidate: Candidate,
    mode: Mode = "strict",
    token_budget: int | None = None,
    problem: Capture | None = None,
) -> CheckResult:
    """Every static rule against one file. With the capture of its problem, launches are judged at its sizes.

    strict: own kernels only, everything the contract asks. default: what is wrong or will go wrong.
    lenient: as default, for files that leave operators to PyTorch on purpose.
    `token_budget`: how many tokens the file may have; no limit without it.
    """
    target = subject(parse_file(candidate), mode, token_budget, problem)
    findings: set[Finding] = set()
    undecided: set[Undecided] = set()
    for rule in all_rules():
        for verdict in rule.check(target):
            if isinstance(verdict, Finding):
                findings.add(verdict)
            else:
                undecided.add(verdict)
    return CheckResult(
        sha256=candidate.sha256,
        mode=mode,
        findings=tuple(sorted(findings, key=lambda f: (*_place(f.span), f.code, f.message))),
        undecided=tuple(sorted(undecided, key=lambda u: (*_place(u.span), u.code, u.reason))),
    )


def _place(span: Span | None) -> tuple[int, int]:
    return (span.line, span.column) if span else (0, 0)
