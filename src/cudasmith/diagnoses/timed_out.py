"""DG707."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

TIMEOUT = 124  # what timeout(1) returns
_EXPIRED = r"timed out after (?P<seconds>[\d.]+) seconds"


class TimedOut(Diagnosis):
    """The run did not end in the time that it was given.

    Slow is possible: a first build takes a minute or more. Endless is as likely: a loop in a kernel or in
    Python, a barrier that not all threads reach, a wait for a lock file of a build that was interrupted.

    Give the build and the run limits of their own. To see where it stands: `py-spy dump --pid PID`, or
    `python -X faulthandler` with faulthandler.dump_traceback_later(60). `file_baton` in the stack means a
    stale lock.
    """

    code = "DG707"
    name = "timed-out"
    CASES = (
        Case("end_timeout", says="1 s"),
        Case("end_endless", returncode=TIMEOUT),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("TimeoutExpired", _EXPIRED)
        if found is None and log.returncode != TIMEOUT:
            return None
        at = found[0].at if found else len(log.lines)
        limit = f" of {round(float(found[1]['seconds']), 1):g} s" if found else ""
        return Hit(
            f"the run did not end within its time limit{limit}",
            at,
            "find where it stands (py-spy dump, faulthandler.dump_traceback_later); a first build needs a longer limit",
        )
