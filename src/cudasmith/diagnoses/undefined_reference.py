"""DG409."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import declaration_span
from cudasmith.model import Candidate

_UNDEFINED = re.compile(r"^(?!nvlink)(?:.*: )?undefined reference to [`'‘](?P<name>[^'’]+)['’]")


class UndefinedReference(Diagnosis):
    """The linker was told to leave no holes in the module, and a function that is called has no body.

    With -z defs or --no-undefined the linker refuses what the loader would refuse later. The cause is
    the one of an undefined symbol: a body is missing, its signature differs from the declaration, or its
    library is not linked.

    Define the function with exactly this signature, or name its library in extra_ldflags.
    """

    code = "DG409"
    name = "undefined-reference"
    CASES = (Case("no_undefined", says="relu(long, long, int)", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_UNDEFINED)
        if found is None:
            return None
        at, m = found
        return Hit(
            f"{m['name']} is called and defined nowhere",
            at,
            "define it with exactly this signature, or add the library that has it to extra_ldflags",
            span=declaration_span(candidate, m["name"]),
        )
