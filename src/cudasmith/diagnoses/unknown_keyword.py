"""DG501."""

from __future__ import annotations

import re

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class UnknownKeyword(Diagnosis):
    """A bound function was called with a keyword that it does not have.

    pybind11 knows parameter names only where the binding gives them with py::arg; the names in the C++
    text do not count. Without them the parameters are called arg0, arg1 and take positions only.

    Pass the argument by position, or name it in the binding: m.def("f", &f, py::arg("x")).
    """

    code = "DG501"
    name = "unknown-keyword"
    CASES = (
        Case("rt_kwarg_name", says="no parameter named a, s"),
        Case("call_keyword_name", says="no parameter named scale", line=5),
        Case("call_keyword_behind_tensor", says="no parameter named eps", line=24),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "keyword")
        if call is None:
            return None
        help = "pass it by position, or name it in the binding with py::arg; its parameters are "
        help += ", ".join(p.name for p in call.params)
        if all(re.fullmatch(r"arg\d+", p.name) for p in call.params):
            help = "pass it by position: this binding gives its arguments no names, as none does that `functions=` makes; "
            help += 'names come from py::arg("...") in a PYBIND11_MODULE of your own'
        return Hit(
            f"{call.function}() has no parameter named {', '.join(call.names)}",
            call.at,
            help,
            span=user_frame(log, call.at, candidate),
        )
