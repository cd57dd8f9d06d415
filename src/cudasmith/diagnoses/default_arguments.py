"""DG228."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class DefaultArguments(Diagnosis):
    """Default arguments are in the wrong place.

    A default counts from the right: a parameter behind one with a default needs a default too. And it may be written only
    once, in the first declaration, not again in the definition.

    Move parameters without default to the front; keep the default in the declaration only.
    """

    code = "DG228"
    name = "default-arguments"
    CASES = (
        Case("default_argument_order", says="end", line=5),
        Case("duplicate_default", says="twice", line=6),
        Case("gxx_default_twice", says="twice", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            r"(?P<order>default argument not at end|default argument missing for parameter)|redefinition of default argument"
            r"|default argument given for parameter ",
        )
        if found is None:
            return None
        said, m = found
        if m["order"]:
            return hit_at(
                said,
                "a parameter with a default is not at the end",
                "move parameters without default to the front",
            )
        return hit_at(
            said, "a default argument is given twice", "delete it in the definition; the declaration has it"
        )
