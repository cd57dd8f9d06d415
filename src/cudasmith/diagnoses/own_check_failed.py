"""DG512."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._text import quoted
from cudasmith.model import Candidate

_CALL = r"TORCH_CHECK\w*|AT_ASSERTM|std::\w+(?:_error|_argument|_range)|std::exception"
_KNOWN = re.compile(r"Error building extension|CUDA error|\w+ must be (?:a |on )?(?:CUDA|cuda|GPU)\b")


class OwnCheckFailed(Diagnosis):
    """The extension's own code refused the call: a TORCH_CHECK found its condition false, or a C++ exception
    was thrown.

    pybind11 turns a C++ exception into a Python one with the same text: std::runtime_error and
    TORCH_CHECK into RuntimeError, std::invalid_argument into ValueError, std::out_of_range into
    IndexError.

    Read the condition beside the text in the C++ source, and make it true at the call.
    """

    code = "DG512"
    name = "own-check-failed"
    CASES = (Case("own_check", says="the C++ code refused the call: no grid of this size", line=10),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError|ValueError|IndexError|TypeError", r"^(?P<text>.+)")
        if found is None or _KNOWN.match(found[1]["text"]):
            return None
        raised, match = found
        span = quoted(candidate, _CALL, match["text"])
        if span is None:
            return None
        return hit_raised(
            raised,
            f"the C++ code refused the call: {match['text']}",
            "make the condition beside this text true at the call",
            span=span,
        )
