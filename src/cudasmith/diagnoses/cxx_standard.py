"""DG818."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._compile import Q, own_file
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file

_TOLD = re.compile(
    r"(?:namespace \"std\" has no member \"(?:strong|weak|partial)_ordering\""
    r"|[‘'](?:strong|weak|partial)_ordering[’'] in namespace [‘']std[’'] does not name a type"
    r"|#error \"?(?:C\+\+\d+ or later compatible compiler is required|You need C\+\+\d+ to compile PyTorch)"
    r")"
)
# A compiler that is only old says these as well, so the command must hold the flag.
_NEW = re.compile(
    rf'namespace "std" has no member "(?:optional|is_enum_v|string_view|is_same_v|remove_cvref_t|bit_cast|span)"'
    rf"|{Q}\w+{Q} (?:is not a member of|in namespace) {Q}std{Q}"
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
    hides = ("DG227",)  # an #error line
    CASES = (
        Case("std17_flag", says="-std=c++17", line=12),
        Case("gxx_old_standard", says="-std=c++14", line=12),
        Case("cxx14"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        first = log.said[0] if log.said else None
        given = log.find(_LOWER)
        if first is None or not any(_old(s, given is not None) for s in log.said[:20]):
            return None
        flag = given[1]["flag"] if given else "an -std flag"
        span, fix = _flag(candidate)
        return Hit(
            f"torch's headers need a newer C++ than {flag} gives",
            first.at,
            f"take {flag} out of the flags: torch gives the right one",
            span=span,
            fix=fix,
        )


def _old(said: Said, flag: bool) -> bool:
    """Whether a header lacks what a newer standard has."""
    return not own_file(said) and bool(_TOLD.search(said.text) or (flag and _NEW.search(said.text)))


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
