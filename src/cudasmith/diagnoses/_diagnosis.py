"""What a diagnosis is, and the walk that finds them all."""

from __future__ import annotations

import abc
import functools
from typing import ClassVar

import attrs

from cudasmith.diagnoses._log import Log, Raised, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Confidence, Fix, Severity, Span
from cudasmith.model.walk import instances


@attrs.frozen
class Hit:
    """One known failure, seen in a log.

    `at`: number of the log's line that decides it, from 0: the earliest hit is told first. `file` and `line`: the
    place the tool named (the generated cuda.cu or main.cpp); the stage maps it back to the Python file.
    `span` instead, where the place in the Python file is known already.
    """

    message: str  # what happened, one line, with the user's names in it
    at: int
    help: str  # what to do, with the user's names in it
    file: str | None = None
    line: int | None = None
    span: Span | None = None
    notes: tuple[str, ...] = ()
    fix: Fix | None = None
    confidence: Confidence = "high"


@attrs.frozen
class Case:
    """A really captured log (tests/data/logs/LOG.txt) with the file that gave it (LOG.py), if it had one.

    A log whose name starts with public_ was not captured: its first line says where the wording is from.

    `says`: a text the message must contain. `line`: the line of LOG.py that must be named; None where the failure
    has none. `first`: False where the diagnosis comments on an error that is told before it.
    """

    log: str
    says: str = ""
    line: int | None = None
    returncode: int | None = None
    first: bool = True


class Diagnosis(abc.ABC):
    """One known failure. Its docstring is its manual page: what happens, why, what to do. CASES are its tests.

    `hides`: codes of diagnoses that a hit of this one makes pointless, since they are its consequences.
    `proves`: the user's text is wrong as it stands, whatever its headers declare.
    `general`: it explains what a tool's message means, and is silent where another explains the same line of the log.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity] = "error"
    hides: ClassVar[tuple[str, ...]] = ()
    general: ClassVar[bool] = False
    proves: ClassVar[bool] = False
    CASES: ClassVar[tuple[Case, ...]]

    @abc.abstractmethod
    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        """The failure in that log, or None. `candidate`: the file that was built or run, where it is known."""


def hit_at(said: Said, message: str, help: str, **more: object) -> Hit:
    """A hit at the place a compiler named."""
    return Hit(message, said.at, help, said.file, said.line, **more)  # type: ignore[arg-type]


def hit_raised(raised: Raised, message: str, help: str, **more: object) -> Hit:
    """A hit at an exception."""
    return Hit(message, raised.at, help, **more)  # type: ignore[arg-type]


@functools.cache
def all_diagnoses() -> tuple[Diagnosis, ...]:
    """One instance of every diagnosis in the package, by code."""
    found = instances("cudasmith.diagnoses", Diagnosis)  # type: ignore[type-abstract]
    codes = [d.code for d in found]
    assert len(set(codes)) == len(codes), f"two diagnoses share a code: {sorted(codes)}"
    return tuple(sorted(found, key=lambda d: d.code))
