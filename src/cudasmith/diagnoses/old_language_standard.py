"""DG265."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, flag_span, own_file
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_NEW = re.compile(
    r'namespace "std" has no member "(?:strong_ordering|optional|is_enum_v|string_view|is_same_v|remove_cvref_t|bit_cast|span)"'
    rf"|{Q}\w+{Q} (?:is not a member of|in namespace) {Q}std{Q}"
    r"|You need C\+\+\d\d to compile PyTorch|C\+\+\d\d or later compatible compiler is required"
)
_FLAG = re.compile(r"-std[= ](?P<std>c\+\+\d\d|gnu\+\+\d\d)")


class OldLanguageStandard(Diagnosis):
    """The source is compiled with an older C++ standard than torch's headers need.

    torch requires C++17, and recent versions C++20; load_inline passes the right option by itself. An own
    `-std=c++17` or `-std=c++14` in the flags comes later on the command line and wins. Hundreds of errors in torch's headers
    follow.

    Delete `-std=...` from extra_cuda_cflags and extra_cflags.
    """

    code = "DG265"
    name = "old-language-standard"
    CASES = (
        Case("std17_flag", says="c++17", line=12),
        Case("gxx_old_standard", says="c++14", line=12),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(rf"#error.*?(?:{_NEW.pattern})|{_NEW.pattern}")
        if found is None or own_file(found[0]):
            return None
        said = found[0]
        command = next((line for line in reversed(log.lines[: said.at]) if "-std" in line), "")
        flags = _FLAG.findall(command)
        if not flags:
            return None
        last = flags[-1]
        span = flag_span(candidate, f"-std={last}")
        help = "delete this flag: load_inline passes the standard that torch needs"
        return Hit(
            f"torch's headers need a newer standard than {last}", said.at, help, said.file, said.line, span
        )
