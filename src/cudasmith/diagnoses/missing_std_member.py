"""DG217."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._compile import include_fix
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import STD_HEADERS, unknown_name
from cudasmith.model import Candidate


def _close(name: str) -> str:
    return next(iter(difflib.get_close_matches(name, list(STD_HEADERS), 1, 0.8)), "")


class MissingStdMember(Diagnosis):
    """A name of the standard library is used whose header is not included, or which does not exist.

    Other headers often bring it in by accident; without them, or with another compiler, it is missing. Errors about
    template brackets and undefined variables that follow are consequences.

    Include the header that declares it. In device code use neither containers nor streams of `std`, even when they compile.
    """

    code = "DG217"
    name = "missing-std-member"
    CASES = (
        Case("gxx_std_misspelt", says="std::vectr", line=5),
        Case("missing_stdint_type", says="std::vector", line=4),
        Case("gxx_no_such_std", says="std::vector", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "std":
            return None
        said, name, header = unknown.said, unknown.name, unknown.header
        mean = re.search(r"did you mean \W(?P<mean>[\w:]+)", said.text)
        if header is None and (close := mean["mean"] if mean else _close(name)):
            return hit_at(said, f"std::{name} does not exist", f"write std::{close.rpartition('::')[2]}")
        if header is None:
            return hit_at(
                said, f"std::{name} is not declared", "include the standard header that declares it"
            )
        message = f"std::{name} is not declared: <{header}> is not included"
        fix = include_fix(candidate, said, header)
        return hit_at(said, message, f"write #include <{header}> at the top", fix=fix)
