"""What a rule is, and the walk that finds them all."""

from __future__ import annotations

import abc
import functools
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

from cudasmith.model.finding import Confidence, Finding, Fix, Severity, Span
from cudasmith.model.undecided import Undecided
from cudasmith.model.walk import instances
from cudasmith.rules._subject import Mode, Subject

Verdicts = Iterable[Finding | Undecided]


def severities(
    strict: Severity, default: Severity, lenient: Severity | None = None
) -> Mapping[Mode, Severity]:
    """A severity for each mode; lenient is as default unless given."""
    return MappingProxyType({"strict": strict, "default": default, "lenient": lenient or default})


# The points that a finished file is looked through for. A rule names the one it decides in `answers`.
POINTS = MappingProxyType(
    {
        "pure-source": "The file is Python source and nothing else: no Markdown fence, no commentary around it.",
        "code-first": "The answer begins with the code, without long reasoning before it.",
        "one-binding": "There is one PYBIND11_MODULE, and each function it names is known before it.",
        "host-types": "Host functions take tensors and plain values, no raw pointers.",
        "no-fallback": "Nothing falls back to other code when the kernels fail.",
        "contiguity": "Tensors are checked for contiguity, made contiguous, or read by their strides.",
        "reverse-scan": "A reverse scan runs from the end, not between two flips.",
        "balanced-index": "The brackets of index expressions balance, and the expressions are tested.",
        "small-test": "The extension has run on a small tensor before it is measured.",
    }
)


class Rule(abc.ABC):
    """One static rule. Its docstring is its manual page; BAD and GOOD are its tests.

    In a BAD case the comment HERE stands on each line that must be found; without one the finding may
    stand anywhere. A GOOD case must give neither a finding nor an undecided record of this rule.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Mapping[Mode, Severity]]
    BAD: ClassVar[tuple[str, ...]]
    GOOD: ClassVar[tuple[str, ...]]
    answers: ClassVar[str | None] = None  # the point of the checklist that it decides (POINTS)

    @abc.abstractmethod
    def check(self, subject: Subject) -> Verdicts:
        """Every place that breaks the rule, and every place where it cannot tell."""

    def found(
        self,
        subject: Subject,
        span: Span | None,
        message: str,
        *,
        help: str | None = None,
        notes: tuple[str, ...] = (),
        confidence: Confidence = "high",
        fix: Fix | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding with the severity of the subject's mode, unless one is given."""
        return Finding(
            self.code,
            severity or self.severity[subject.mode],
            message,
            confidence=confidence,
            span=span,
            notes=notes,
            help=help,
            fix=fix,
        )

    def undecided(self, span: Span | None, reason: str) -> Undecided:
        return Undecided(self.code, reason, span)


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """One instance of every rule in the package, by code."""
    found = instances("cudasmith.rules", Rule)  # type: ignore[type-abstract]
    return tuple(sorted(found, key=lambda rule: rule.code))
