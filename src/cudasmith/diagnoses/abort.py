"""DG702."""

from __future__ import annotations

import re
import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate

_THROWN = re.compile(r"^terminate called after throwing an instance of '(?P<type>[^']+)'")
_WHAT = re.compile(r"^\s*what\(\):\s*(?P<what>.*)$")
_ASSERTED = re.compile(r"^\S+: (?P<file>\S+):(?P<line>\d+): .*Assertion `(?P<condition>.*)' failed\.$")
_NO_EXCEPTION = re.compile(r"^terminate called without an active exception")


class Abort(Diagnosis):
    """The program ended itself: a C++ exception that nobody caught, a failed assert(), or a call of abort().

    pybind11 turns exceptions of a bound function into Python's. One gets past it when it is thrown in a
    function marked noexcept, in a destructor, in another thread, or while the library is loaded.

    The text after what() is the reason. Throw with TORCH_CHECK directly in the bound function, join
    threads before it returns, and let destructors throw nothing.
    """

    code = "DG702"
    name = "abort"
    CASES = (
        Case("end_abort_what", says="std::runtime_error: rows and columns disagree", returncode=134),
        Case("end_abort_faulthandler", says="rows and columns disagree", line=9, returncode=-6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        if (thrown := log.find(_THROWN)) is not None:
            at, m = thrown
            what = next((w["what"] for line in log.lines[at + 1 : at + 3] if (w := _WHAT.match(line))), "")
            message = f"a C++ exception was not caught: {m['type']}" + (f": {what}" if what else "")
        elif (asserted := log.find(_ASSERTED)) is not None:
            at, message = asserted[0], f"an assert() of the host code failed: {asserted[1]['condition']}"
        elif (ended := log.find(_NO_EXCEPTION)) is not None:
            at, message = ended[0], "a std::thread was destroyed before it was joined"
        elif (signalled := ended_by(log, signal.SIGABRT, "Aborted")) is not None:
            at, message = signalled, "the process called abort()"
        else:
            return None
        return Hit(
            message,
            at,
            "throw inside the bound function (TORCH_CHECK), not in noexcept functions, destructors or other threads",
            span=user_frame(log, at, candidate),
        )
