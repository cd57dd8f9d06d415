"""DG220."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import KNOWN_HEADERS as KNOWN
from cudasmith.diagnoses._names import NOT_EMULATED
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

MISSING = re.compile(
    rf"(?P<header>\S+): No such file or directory|cannot open source file {Q}(?P<edg>[^\"]+){Q}"
    r"|the emulator does not have the header <(?P<emulated>[^>]+)>"
)
_ELSEWHERE = (
    "cublas",
    "cusparse",
    "cusolver",
    "curand",
    "cufft",
    "nvrtc",
    "nvtx",
    "cudnn",
    "nccl",
    "THC/",
    "THCUNN/",
)


class MissingHeader(Diagnosis):
    """A file named by `#include` is not found.

    It belongs to a library that is not installed, is not in the folders that the compiler searches, or is spelt another way:
    letters count, and paths begin at a folder that the compiler was told of.

    Correct the name, pass the folder with `extra_include_paths=[...]`, or do without the library.
    """

    code = "DG220"
    name = "missing-header"
    CASES = (
        Case("missing_include", says="cutlass/cutlass.h", line=4),
        Case("old_cub_path", says="cub/cub/cub.cuh", line=5),
        Case("windows_header", says="Windows.h", line=5),
        Case("torch_header_misspelt", says="torch/extension.h", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, MISSING)
        header = next(filter(None, found[1].groups()), "") if found else ""
        if found is None or (header.startswith(_ELSEWHERE) and not found[1]["emulated"]):
            return None
        message = f"the header {header} is not found"
        close = difflib.get_close_matches(header, KNOWN, 1, 0.85)
        if close and close[0] != header:
            span = only_place(candidate, rf"#\s*include\s*[<\"](?P<at>{re.escape(header)})[>\"]")
            fix = Fix(span, close[0]) if span is not None else None
            return hit_at(found[0], f"{message}: its name is {close[0]}", f"write {close[0]}", fix=fix)
        if header.startswith(("cutlass/", "cute/")):
            help = "CUTLASS is not part of CUDA: pass its include folder with extra_include_paths=[...], or do without it"
        else:
            help = f"correct the name, or pass the folder that holds {header} with extra_include_paths=[...]"
        if found[1]["emulated"]:
            help = f"correct the name if it is misspelt; if it is a header of CUDA's, {NOT_EMULATED}"
            return hit_at(found[0], message, help, confidence="low", notes=(found[0].text,))
        return hit_at(found[0], message, help)
