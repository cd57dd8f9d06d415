"""DG268."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r"#error:?\s*-- unsupported (?P<what>GNU|clang|Microsoft\S*).*? version! ?(?P<text>.*?)(?:!|$)"
)


class UnsupportedHostCompiler(Diagnosis):
    """nvcc refuses the installed g++ or clang because it is newer than the toolkit knows.

    Each CUDA version was tested up to some version of g++: 11.8 up to 11, 12.4 up to 13.2, 12.8 up to 14, 13.0 up to 15. A
    newer C++ library may use language features that nvcc cannot read.

    Install an older g++ and name it: `CC=gcc-12 CXX=g++-12` in the environment, or `-ccbin g++-12` in
    extra_cuda_cflags. `-allow-unsupported-compiler` skips the check only; the errors may come later.
    """

    code = "DG268"
    name = "unsupported-host-compiler"
    # The first log is real; its file says that the compiler is gcc 16, which was not at hand.
    CASES = (
        Case("unsupported_gnu_version", says="gcc versions later than 15 are not supported"),
        Case("public_unsupported_gnu_version", says="gcc versions later than 11 are not supported"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID)
        if found is None:
            return None
        said, m = found
        return hit_at(
            said,
            f"nvcc refuses the host compiler: {m['text']}",
            "set CXX=g++-12 CC=gcc-12 in the environment (a version it accepts), or pass -ccbin g++-12 to nvcc",
        )
