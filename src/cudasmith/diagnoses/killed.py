"""DG704."""

from __future__ import annotations

import re
import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate

_COMPILER = re.compile(r"(?:Killed signal terminated program|fatal error: Killed)\s*(?P<program>\w+)?")


class Killed(Diagnosis):
    """The process was killed from outside; it could not say why. On Linux that is mostly the lack of host
    memory.

    The kernel ends the largest process when memory runs out, and a container's limit does the same.
    Compilers count: each nvcc job over torch's headers takes gigabytes, and ninja starts one per core. A
    time limit of a job system is the other usual reason.

    `dmesg | grep -i kill` or the container's state (OOMKilled) tells which. Give MAX_JOBS=1 or 2 for
    builds, use smaller inputs, keep fewer copies on the host, or raise the limit.
    """

    code = "DG704"
    name = "killed"
    CASES = (Case("end_killed", returncode=137), Case("end_killed", returncode=-9), Case("end_shell_killed"))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        if (compiler := log.find(_COMPILER)) is not None:
            at, who = (
                compiler[0],
                f"the compiler ({compiler[1]['program']})" if compiler[1]["program"] else "the compiler",
            )
            return Hit(
                f"{who} was killed, most likely for lack of memory",
                at,
                "build with MAX_JOBS=1, or with more memory",
            )
        ended = ended_by(log, signal.SIGKILL, "Killed")
        if ended is None:
            return None
        return Hit(
            "the process was killed from outside, most likely for lack of host memory",
            ended,
            "see `dmesg | grep -i kill`; use smaller inputs or more memory, and MAX_JOBS=1 for builds",
            confidence="medium",
        )
