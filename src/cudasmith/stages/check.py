"""check: a Candidate in, findings out. Never runs the candidate and never imports torch.

A problem, where one is given, is run once in a worker, for its sizes.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Literal, TypeVar

import attrs

from cudasmith.model import Capture
from cudasmith.model.candidate import Candidate
from cudasmith.model.errors import CudasmithError
from cudasmith.model.finding import Finding, Span
from cudasmith.model.undecided import Undecided
from cudasmith.rules._rule import Rule, all_rules
from cudasmith.rules._subject import MODES, Mode, Subject, subject
from cudasmith.source.filemodel import parse_file
from cudasmith.stages._check.baseline import NOTHING_KNOWN, Known
from cudasmith.stages._check.selection import EVERY_RULE, Selection

__all__ = ["MODES", "CheckResult", "Mode", "check"]

INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
UNREADABLE = "CS102"  # always asked: behind it no other rule sees the file
Status = Literal["passed", "failed", "undecided"]
Verdict = Finding | Undecided
V = TypeVar("V", Finding, Undecided, Finding | Undecided)


@attrs.frozen
class CheckResult:
    """What the rules say of one candidate, sorted by place. Spans are places in its Python file."""

    sha256: str
    mode: Mode
    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    ignored: tuple[Verdict, ...] = ()  # set aside by comments in the file
    known: tuple[Verdict, ...] = ()  # recorded in the baseline
    unreadable: str = ""  # why Python cannot read the file; empty where it can
    unseen: str = ""  # why the rules have not seen all CUDA text; empty where they have

    @property
    def status(self) -> Status:
        """failed: an error was found. undecided: none, but a rule whose findings are errors could not tell."""
        if self.unreadable or any(f.severity == "error" for f in self.findings):
            return "failed"
        errors = {r.code for r in all_rules() if r.severity[self.mode] == "error"}
        return "undecided" if any(u.code in errors for u in self.undecided) else "passed"

    def selected(self, selection: Selection) -> CheckResult:
        """Of the result of every rule, what the selected ones say."""

        def kept(verdicts: tuple[V, ...]) -> tuple[V, ...]:
            return tuple(v for v in verdicts if selection.has(v.code) or v.code == UNREADABLE)

        return attrs.evolve(
            self,
            findings=kept(self.findings),
            undecided=kept(self.undecided),
            ignored=kept(self.ignored),
            known=kept(self.known),
        )

    @property
    def all(self) -> tuple[Verdict, ...]:
        """Also what is set aside."""
        return (*self.findings, *self.undecided, *self.ignored, *self.known)


def check(
    candidate: Candidate,
    mode: Mode = "strict",
    selection: Selection = EVERY_RULE,
    known: Known = NOTHING_KNOWN,
    token_budget: int | None = None,
    problem: Capture | None = None,
) -> CheckResult:
    """Every selected static rule against one file. With the capture of its problem, launches are judged at its sizes.

    strict: own kernels only, everything the contract asks. default: what is wrong or will go wrong.
    lenient: as default, for files that leave operators to PyTorch on purpose.
    `token_budget`: how many tokens the file may have; no limit without it.

    Raises: CudasmithError CSU003 where a rule fails by its own fault.
    """
    file = parse_file(candidate)
    target = subject(file, mode, token_budget, problem)
    rules = [r for r in all_rules() if selection.has(r.code) or r.code == UNREADABLE]
    verdicts = sorted({v for rule in rules for v in _verdicts(rule, target)}, key=_order)
    left = [
        v for v in verdicts if v.code != UNREADABLE
    ]  # that one cannot be set aside: no other rule was asked
    set_aside = {(code, ignore.line) for ignore in file.ignores for code in ignore.codes}
    ignored = tuple(v for v in left if v.span and (v.code, v.span.line) in set_aside)
    shown = [v for v in verdicts if v not in ignored]
    old = known.among([v for v in shown if v.code != UNREADABLE], candidate)
    shown = [v for v in shown if v not in old]
    return CheckResult(
        sha256=candidate.sha256,
        mode=mode,
        findings=tuple(v for v in shown if isinstance(v, Finding)),
        undecided=tuple(v for v in shown if isinstance(v, Undecided)),
        ignored=ignored,
        known=old,
        unreadable=f"Python cannot read the file: {file.fault.message}" if file.fault else "",
        unseen=_unseen(target),
    )


def _verdicts(rule: Rule, target: Subject) -> list[Verdict]:
    try:
        return list(rule.check(target))
    except RecursionError:
        return [Undecided(rule.code, "expressions nest deeper than this rule can follow")]
    except Exception as error:
        path = target.file.candidate.path
        raise internal_error(path, error, rule=rule.code) from error


def internal_error(path: str, error: Exception, rule: str = "") -> CudasmithError:
    """Our own fault, in a rule or around them: the file is not checked, which is no verdict on it."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f"rule {rule}" if rule else "".join(f"{Path(p.filename).name}:{p.lineno}" for p in place)
    fact = f"not checked: internal error in {where}: {type(error).__name__}: {error}"
    help = "please report it with the file" + (f"; until then: --ignore {rule}" if rule else "")
    return CudasmithError("CSU003", fact, where=path, help=help, exit_code=INTERNAL_ERROR)


def _unseen(target: Subject) -> str:
    if not target.units:
        return "the file does not call load_inline"
    opaque = [unit.opaque for unit in target.units if unit.opaque]
    return f"{opaque[0]} of load_inline cannot be read before the file runs" if opaque else ""


def _order(verdict: Verdict) -> tuple[int, int, str, str]:
    text = verdict.message if isinstance(verdict, Finding) else verdict.reason
    return (*_place(verdict.span), verdict.code, text)


def _place(span: Span | None) -> tuple[int, int]:
    return (span.line, span.column) if span else (0, 0)
