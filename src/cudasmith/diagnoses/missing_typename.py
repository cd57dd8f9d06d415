"""DG213."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class MissingTypename(Diagnosis):
    """Inside a template the word `typename` or `template` is missing before a name that depends on a parameter.

    Before the template is used, the compiler cannot know whether `Acc<T>::type` is a type or a value, and takes it for a
    value.

    Write `typename Acc<T>::type`; before a member template, `object.template get<2>(x)`.
    """

    code = "DG213"
    name = "missing-typename"
    CASES = (Case("missing_typename_keyword", says="Acc<T>::type", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf'use the "typename" keyword to treat nontype "(?P<edg>[^"\[]*?)(?: \[.*)?"|need {Q}typename{Q} before {Q}(?P<gxx>.*?){Q}',
        )
        if found is None:
            return None
        said, m = found
        name = m["edg"] or m["gxx"]
        place = spot(log, said, candidate)
        fix = None
        if place is not None and place.text.count(name) == 1:
            at = place.start + place.text.index(name)
            span = place.region.span(at, at)
            fix = Fix(span, "typename ", safe=True) if span is not None else None
        return hit_at(
            said, f"{name} is a type that depends on a template parameter", f"write typename {name}", fix=fix
        )
