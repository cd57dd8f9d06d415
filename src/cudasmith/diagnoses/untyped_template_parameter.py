"""DG277."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = rf'identifier "(?P<edg>\w+)" is undefined$|{Q}(?P<gxx>\w+){Q} has not been declared'


class UntypedTemplateParameter(Diagnosis):
    """A template parameter has a name and no kind: `template <BLOCK>`.

    C++ wants to know whether it is a number or a type, and takes the lone name for a type that should exist already.

    Write `template <int BLOCK>` for a number, `template <typename T>` for a type.
    """

    code = "DG277"
    name = "untyped-template-parameter"
    hides = ("DG215",)
    CASES = (Case("template_parameter_without_type", says="BLOCK", line=9),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        place = spot(log, found[0], candidate) if found is not None else None
        if found is None or place is None:
            return None
        name = found[1]["edg"] or found[1]["gxx"]
        if not re.search(rf"template\s*<(?:[^<>]*,)?\s*{name}\s*(?:=[^,<>]*)?[,>]", place.text):
            return None
        kind = "int" if len(name) > 1 and name.isupper() else "typename"
        span = place.word(name)
        fix = Fix(span, f"{kind} {name}") if span is not None else None
        message = f"the template parameter {name} has no type"
        return hit_at(found[0], message, f"write template <{kind} {name}>", fix=fix)
