"""DG403."""

from __future__ import annotations

import re

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file

_TWICE = re.compile(r"multiple definition of [`'‘]PyInit_(?P<module>\w+)")


def _last_binding(candidate: Candidate | None) -> Span | None:
    found = None
    for build in parse_file(candidate).builds if candidate is not None else ():
        for region in build.regions():
            for binding in symbols(region.text).bindings:
                found = region.span(binding.start, binding.end) or found
    return found


class BoundTwice(Diagnosis):
    """Two sources of one module each hold a PYBIND11_MODULE, so the module's start function exists twice.

    load_inline writes a PYBIND11_MODULE of its own into the C++ source when `functions` is given;
    another in cuda_sources is one too many. So is one in cpp_sources and one in cuda_sources.

    Keep one: drop `functions=` where the text has a PYBIND11_MODULE, or drop the PYBIND11_MODULE and
    keep `functions=`.
    """

    code = "DG403"
    name = "bound-twice"
    CASES = (
        Case("pybind_cpp_and_cu", says="pybind_cpp_and_cu is bound twice", line=12),
        Case("pybind_cu_plus_functions", says="bound twice", line=12),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_TWICE)
        if found is None:
            return None
        at, m = found
        return Hit(
            f"the module {m['module']} is bound twice: its PyInit function has two definitions",
            at,
            "keep one PYBIND11_MODULE; with `functions=` torch writes one, so the text must have none",
            span=_last_binding(candidate),
        )
