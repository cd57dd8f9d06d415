"""DG219."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import unknown_name
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.source.filemodel import parse_file

_DEFINED = r"(?P<head>(?:[\w:]+(?:<[^<>()]*>)?[\s&*]+)+{name}\s*\([^(){{}};]*\))\s*\{{"


class BoundFunctionUndeclared(Diagnosis):
    """A function is bound to Python in a source that does not declare it.

    `functions=[...]` makes load_inline write its bindings into main.cpp, which sees only `cpp_sources`; an own
    PYBIND11_MODULE sees only what stands above it in the same source. A definition in the other source is invisible.

    Declare the function in `cpp_sources`, with the signature of its definition, or put PYBIND11_MODULE at the end of the
    CUDA source, below the functions.
    """

    code = "DG219"
    name = "bound-function-undeclared"
    CASES = (
        Case("mdef_undeclared_in_cu", says="relu_forward", line=11),
        Case("functions_undeclared_default_torch", says="relu_forward", line=15),
        Case("functions_name_missing", says="forward", line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "bound":
            return None
        said, name = unknown.said, unknown.name
        model = parse_file(candidate) if candidate is not None else None
        cuda = model.builds[0].cuda if model is not None and len(model.builds) == 1 else None
        defined = re.search(_DEFINED.format(name=name), cuda.text) if cuda is not None else None
        message = f"{name} is bound to Python, but not declared in that source"
        span = only_place(candidate, rf"functions\s*=\s*\[[^\]]*?(?P<at>(['\"]){name}\2)")
        if defined is not None and said.tool == "g++":
            head = re.sub(r"\s+", " ", defined["head"]).strip()
            return hit_at(said, message, f"write this in cpp_sources: {head};", span=span)
        if said.tool == "g++":
            help = f"declare {name} in cpp_sources, with the signature of its definition, or correct the name"
            return hit_at(said, message, help, span=span)
        return hit_at(said, message, f"define or declare {name} above the PYBIND11_MODULE")
