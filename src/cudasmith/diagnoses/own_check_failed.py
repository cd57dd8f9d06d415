"""DG512."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._python import module_on_cpu
from cudasmith.diagnoses._text import quoted
from cudasmith.model import Candidate

_CALL = r"TORCH_CHECK\w*|AT_ASSERTM|std::\w+(?:_error|_argument|_range)|std::exception"
_DEVICE = re.compile(r"(?i)\bcuda\b|\bgpu\b|\bcpu\b|\bdevice\b")
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
    CASES = (
        Case("odd_module_on_cpu", says="channel_mul", line=37),
        Case("own_check", says="the C++ code refused the call: no grid of this size", line=17),
        Case("rt_std_exception", says="boom"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError|ValueError|IndexError|TypeError", r"^(?P<text>.+)")
        if found is None or _KNOWN.match(found[1]["text"]):
            return None
        raised, match = found
        texts = quoted(candidate, _CALL, match["text"])
        if not texts:
            return None
        frame = user_frame(log, raised.at, candidate)
        check = texts[0] if len(texts) == 1 else None
        left = module_on_cpu(candidate) if candidate is not None and _DEVICE.search(match["text"]) else None
        notes = (f"the check stands at line {check.line}",) if check is not None and frame is not None else ()
        return hit_raised(
            raised,
            f"the C++ code refused the call: {match['text']}",
            "move the module to the GPU: .cuda() behind it"
            if left
            else "make the condition beside this text true at the call",
            span=left or frame or check,
            notes=notes,
        )
