"""DG203."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix
from cudasmith.source.prose import looks_like_prose

_SAID = re.compile(
    rf'identifier ".*" is undefined|expected a|this declaration has no storage|{Q}.*{Q} does not name a type'
)
_SOURCE = r"^(?:\s*\d+ \|)?(?P<source>.*)$"


class ProseInSources(Diagnosis):
    """A sentence stands where the compiler expects code.

    Text around a program, such as "Here is the optimized kernel:", was copied with it. The compiler takes the first word
    for a type or a variable, finds it undefined, and asks for a `;` at the next.

    Delete the sentence or make it a comment with `//`.
    """

    code = "DG203"
    name = "prose-in-sources"
    hides = ("DG201", "DG215", "DG218")
    CASES = (
        Case("prose_in_cuda", says="Here is the optimized CUDA kernel", line=4),
        Case("gxx_prose", says="Here is the code", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, _ = found
        shown = detail(log, said, _SOURCE)
        if shown is None or not looks_like_prose(shown["source"]):
            return None
        place = spot(log, said, candidate)
        fix = None
        if place is not None and place.line is not None:
            fix = Fix(place.line, f"// {place.text.strip()}", safe=True)
        message = f"a sentence stands where code should be: {shown['source'].strip()}"
        return hit_at(said, message, "delete it, or make it a comment", fix=fix)
