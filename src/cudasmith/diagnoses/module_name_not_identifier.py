"""DG212."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, flag_span, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_DEFINED = re.compile(r"-DTORCH_EXTENSION_NAME=(?P<name>\S+)")


class ModuleNameNotIdentifier(Diagnosis):
    """The `name` given to load_inline is no identifier, but C++ needs it as one.

    `PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)` makes functions whose names contain it. A dash, a dot or a space ends the name
    there, and the compiler asks for a `;`.

    Use letters, digits and underscores only in `name=`.
    """

    code = "DG212"
    name = "module-name-not-identifier"
    hides = ("DG201",)
    CASES = (Case("name_with_dash", says="relu-forward", line=12),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, rf'expected an? "|expected .*{Q}-{Q}')
        named = log.find(_DEFINED)
        if found is None or named is None or re.fullmatch(r"\w+", named[1]["name"]):
            return None
        name = named[1]["name"]
        shown = detail(log, found[0], re.escape(re.sub(r"^\w+", "", name)))
        if shown is None:
            return None
        better = re.sub(r"\W", "_", name)
        span = flag_span(candidate, name)
        fix = Fix(span, repr(better)) if span is not None else None
        return hit_at(
            found[0], f'the module name "{name}" is no identifier', f"use name={better!r}", span=span, fix=fix
        )
