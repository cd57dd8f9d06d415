"""DG414."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_RELOCATION = re.compile(
    r"ld(?:\.\w+)?: (?P<object>\S+?): relocation R_\w+ against .* can(?:not| not) be used when making a (?:shared object|PIE object)"
)


class NotPositionIndependent(Diagnosis):
    """An object file was compiled for a program, not for a shared library, and so the linker cannot put it into
    the module.

    Code in a library must run at any address, for which it is compiled with -fPIC. A flag that undoes
    it, a static library built without it, or a file from a build of one's own is in the way.

    Remove flags such as -fno-PIC; compile own objects and static libraries with -fPIC (nvcc: -Xcompiler
    -fPIC).
    """

    code = "DG414"
    name = "not-position-independent"
    CASES = (Case("not_position_independent", says="cuda.cuda.o was compiled without -fPIC"),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_RELOCATION)
        if found is None:
            return None
        at, m = found
        return Hit(
            f"{m['object']} was compiled without -fPIC and cannot go into a module",
            at,
            f"compile {m['object']} with -fPIC (nvcc: -Xcompiler -fPIC), and drop flags that undo it",
        )
