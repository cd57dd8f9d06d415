"""DG412."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class StaticDefinition(Diagnosis):
    """A function is declared in one source and defined `static` in another, so the definition is invisible to
    the first.

    static (or an unnamed namespace) keeps a function within its own file; the declaration in the other
    file then names a function that does not exist.

    Drop `static` from the definition.
    """

    code = "DG412"
    name = "static-definition"
    CASES = (Case("defined_static", says="relu(long, long, int)", line=17),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "static")
        if seen is None:
            return None
        return Hit(
            f"{seen.name} is defined static, so the other source cannot call it",
            seen.at,
            f"drop `static` from: {seen.defined}",
            span=seen.span,
            notes=seen.notes,
        )
