"""DG143."""

from __future__ import annotations

import re
from pathlib import PurePath

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SOURCE = r"[^'\n]+\.(?:cu|cuh|cpp|cc|cxx|c|h|hpp|hh|inl|inc|ptx)"
_TOLD = re.compile(rf"^FileNotFoundError: \[Errno 2\] No such file or directory: '(?P<path>{_SOURCE})'")


class SourceFileMissing(Diagnosis):
    """The file reads or compiles a source of its own that is not there.

    A name without a folder is looked for in the folder in which Python was started, not beside the Python file; a
    file that is copied or run elsewhere leaves its `.cu` behind.

    Put the source there, or name it beside the Python file: `Path(__file__).with_name("kernel.cu")`. Text in the Python
    file itself, given to load_inline, cannot be lost.
    """

    code = "DG143"
    name = "source-file-missing"
    CASES = (
        Case("open_of_missing_source", says="kernel.cu", line=6),
        Case("load_of_missing_source", says="binding.cpp", line=4),
        Case("read_text_of_missing_source", says="kernel.cu", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_TOLD)
        if found is None:
            return None
        at, m = found
        path = PurePath(m["path"])
        beside = f'Path(__file__).with_name("{path.name}")'
        if path.is_absolute():
            help = f"put {path.name} there, or give the path that it has"
        else:
            help = f"it is looked for where Python was started: name it beside this file, {beside}"
        return Hit(f"the source {path} is not there", at, help, span=user_frame(log, at, candidate))
