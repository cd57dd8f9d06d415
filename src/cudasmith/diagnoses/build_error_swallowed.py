"""DG131."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.source.filemodel import parse_file

_NONE = re.compile(r"^'NoneType' object has no attribute '(?P<name>\w+)'$")


class BuildErrorSwallowed(Diagnosis):
    """The extension is None where one of its functions is called: its build failed earlier, and the file hid that.

    A `try: load_inline(...) except: module = None` turns a clear message of the compiler into this one, far from its cause.

    Take the try away and run again: then the log holds the error of the compiler.
    """

    code = "DG131"
    name = "build-error-swallowed"
    CASES = (Case("module_none", says="v is called", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("AttributeError", _NONE)
        if found is None or candidate is None:
            return None
        bound = {f for b in parse_file(candidate).builds for f in b.functions or ()}
        if found[1]["name"] not in bound:
            return None
        return hit_raised(
            found[0],
            f"{found[1]['name']} is called on None: the extension was not built, and its error was swallowed",
            "take the try/except around load_inline away, so that the compiler's message is told",
            span=user_frame(log, found[0].at, candidate),
        )
