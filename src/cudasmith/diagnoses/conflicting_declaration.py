"""DG257."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf"cannot overload functions distinguished by return type alone|ambiguating new declaration of {Q}(?P<gxx>.*?){Q}"
    r'|declaration is incompatible with (?:previous )?"(?P<edg>\w+)(?:\(.*)?"'
)


class ConflictingDeclaration(Diagnosis):
    """A function is declared again with another return type or in another language linkage.

    Functions may share a name when their parameters differ, not when only the result does. The declaration and the definition
    have drifted apart.

    Give both the same return type.
    """

    code = "DG257"
    name = "conflicting-declaration"
    CASES = (Case("declared_twice_differently", says="launch", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None or detail(log, found[0], r"^\s.*\[\];|instantiation of"):
            return None
        said, m = found
        name = re.match(r"\w+", at_caret(log, said))
        what = m["gxx"] or m["edg"] or (name[0] if name else "this")
        return hit_at(
            said,
            f'"{what}" is declared twice, with different types',
            "give both declarations the same return type",
        )
