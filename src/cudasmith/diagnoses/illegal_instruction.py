"""DG706."""

from __future__ import annotations

import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate


class IllegalInstruction(Diagnosis):
    """The processor met an instruction that it does not have, or one that the compiler put where no code
    should run.

    -march=native on the machine that built, another processor on the one that runs; or a function with a
    return type and no return statement, whose end g++ marks with a trap when it optimises.

    Compile for the oldest processor in use, remove cached builds that came from another machine, and
    build with -Wall: it warns of the missing return.
    """

    code = "DG706"
    name = "illegal-instruction"
    CASES = (Case("end_illegal_instruction", returncode=132), Case("end_illegal_instruction", returncode=-4))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        at = ended_by(log, signal.SIGILL, "Illegal instruction")
        if at is None:
            return None
        return Hit(
            "the processor met an instruction that it cannot carry out",
            at,
            "look for functions that end without return (-Wall), drop -march=native, and build again on this machine",
            span=user_frame(log, at, candidate),
        )
