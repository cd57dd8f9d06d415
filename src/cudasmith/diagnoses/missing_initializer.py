"""DG214."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class MissingInitializer(Diagnosis):
    """`auto`, a reference or a constant is declared without a value.

    The type of `auto` is taken from the value, a reference must refer to something, and a constant cannot get its value later.

    Give it a value in the declaration, or write the type.
    """

    code = "DG214"
    name = "missing-initializer"
    CASES = (Case("auto_without_initialiser", says='"auto"', line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf'cannot deduce "(?P<edg>auto)" type \(initializer required|declaration of {Q}(?P<gxx>auto).*{Q} has no initializer'
            r'|(?P<const>const) variable "\w+" requires an initializer|(?P<ref>reference) variable "\w+" requires an initializer',
        )
        if found is None:
            return None
        said, m = found
        what = next(w for w in m.groups() if w)
        return hit_at(
            said,
            f'a variable declared "{what}" has no value here',
            "give it a value in the declaration, or write its type",
        )
