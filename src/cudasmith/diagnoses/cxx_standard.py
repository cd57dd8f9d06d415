"""DG818."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file

_TOLD = re.compile(
    r"(?:namespace \"std\" has no member \"(?:strong|weak|partial)_ordering\""
    r"|[‘'](?:strong|weak|partial)_ordering[’'] in namespace [‘']std[’'] does not name a type"
    r"|[‘'](?:is_\w+_v|optional|string_view|variant)[’'] is not a member of [‘']std[’']"
    r"|#error \"?(?:C\+\+\d+ or later compatible compiler is required|You need C\+\+\d+ to compile PyTorch)"
    r")"
)
_FLAG = re.compile(r"-std=(?:c|gnu)\+\+(?:98|0x|11|1y|14|1z|17)")
_LOWER = re.compile(r" (?P<flag>-std=(?:c|gnu)\+\+(?:11|14|17))(?: |$)")


class CxxStandard(Diagnosis):
    """The code is compiled for an older C++ than torch's headers are written in.

    torch gives the right -std itself: C++17, and C++20 from version 2.14 on. A flag such as -std=c++14 or -std=c++17 among the
    own flags comes later and wins. The errors then stand in headers of torch, by the hundred.

    Take the -std flag out of extra_cflags and extra_cuda_cflags.
    """

    code = "DG818"
    name = "cxx-standard"
    hides = ("DG227",)
    CASES = (Case("std17_flag", says="-std=c++17", line=12), Case("cxx14"), Case("gxx_old_standard", line=12))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        first = log.said[0] if log.said else None
        if first is None or not any(_TOLD.search(s.text) for s in log.said[:20]):
            return None
        given = log.find(_LOWER)
        flag = given[1]["flag"] if given else "an -std flag"
        span, fix = _flag(candidate)
        return Hit(
            f"torch's headers need a newer C++ than {flag} gives",
            first.at,
            f"take {flag} out of the flags: torch gives the right one",
            span=span,
            fix=fix,
        )


def _flag(candidate: Candidate | None) -> tuple[Span | None, Fix | None]:
    """The flag in the file, with the edit that takes it out where it stands alone in its text."""
    if candidate is None:
        return None, None
    model = parse_file(candidate)
    for node in ast.walk(model.tree):
        if not isinstance(node, ast.List):
            continue
        for item in node.elts:
            if isinstance(item, ast.Constant) and isinstance(item.value, str) and _FLAG.search(item.value):
                rest = [ast.get_source_segment(candidate.text, e) or "" for e in node.elts if e is not item]
                whole = model.source.node_span(node)
                alone = _FLAG.fullmatch(item.value) and whole.line == whole.end_line
                fix = Fix(whole, f"[{', '.join(rest)}]") if alone else None
                return model.source.node_span(item), fix
    return None, None
