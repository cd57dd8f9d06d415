"""DG258."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class ExternSharedTwoTypes(Diagnosis):
    """`extern __shared__ T name[]` in a template is used with more than one type.

    All such arrays are one memory with one name, so every use of the name must have the same type. With T = float and
    T = double the declarations contradict each other.

    Declare it once as bytes and convert: `extern __shared__ __align__(16) unsigned char raw[];` and
    `T* name = reinterpret_cast<T*>(raw);`.
    """

    code = "DG258"
    name = "extern-shared-two-types"
    CASES = (Case("extern_shared_two_types", says="tile", line=7),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r'declaration is incompatible with previous "(?P<name>\w+)"')
        if found is None or detail(log, found[0], r"^\s.*\[\s*\];|instantiation of") is None:
            return None
        said, m = found
        name = m["name"]
        place = spot(log, said, candidate)
        fix = None
        if place is not None and place.line is not None:
            d = re.match(
                r"\s*extern\s+__shared__\s+(?P<type>\w+)\s+(?P<name>\w+)\s*\[\s*\]\s*;\s*$", place.text
            )
            if d is not None:
                t = d["type"]
                text = f"extern __shared__ __align__(16) unsigned char {name}_raw[]; "
                fix = Fix(place.line, f"{text}{t}* {name} = reinterpret_cast<{t}*>({name}_raw);", safe=True)
        return hit_at(
            said,
            f'the shared array "{name}" of a template gets two types',
            "declare it as unsigned char once, and reinterpret_cast it to T*",
            fix=fix,
        )
