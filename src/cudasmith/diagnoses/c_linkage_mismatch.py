"""DG407."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class CLinkageMismatch(Diagnosis):
    """A function is declared with extern "C" and defined without it, or the other way round, and so the module
    has a hole.

    C++ writes the parameter types into a symbol's name, and extern "C" writes none. The declaration asks
    for one name, the definition gives the other; the linker does not see that one function was meant.

    Write extern "C" in both places or in neither. A binding needs it nowhere: drop it.
    """

    code = "DG407"
    name = "c-linkage-mismatch"
    CASES = (
        Case("declared_extern_c", says="extern", line=6),
        Case("defined_extern_c", says="relu(long, long, int)", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "linkage")
        if seen is None:
            return None
        return Hit(
            f'{seen.name} is declared and defined with different linkage: one has extern "C"',
            seen.at,
            f'write extern "C" before both or before neither; the definition is: {seen.defined}',
            span=seen.declared or seen.span,
            notes=seen.notes,
        )
