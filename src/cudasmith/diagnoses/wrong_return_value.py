"""DG253."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class WrongReturnValue(Diagnosis):
    """A `return` does not agree with the function's type.

    A `void` function, a kernel for instance, returns a value, or a function with a type returns nothing.

    Write results through a pointer in kernels; correct the function's type elsewhere.
    """

    code = "DG253"
    name = "wrong-return-value"
    CASES = (Case("missing_return", says="return", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, r"return value type does not match the function type|return-statement with (?:a|no) value"
        )
        if found is None:
            return None
        return hit_at(
            found[0],
            "the value of this return does not agree with the function's type",
            "drop the value (kernels and void functions), or change the function's type",
        )
