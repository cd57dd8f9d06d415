"""DG811."""

from __future__ import annotations

import difflib

from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import KNOWN_HEADERS
from cudasmith.diagnoses._told import ToldLine, missing_header
from cudasmith.model import Candidate


class TorchHeadersMissing(ToldLine):
    """The compiler does not find the headers of torch.

    load_inline names their folders to the compiler. Whoever calls nvcc or g++ by hand, or writes a build of their own, must do
    the same. A name that changed between versions of torch looks alike.

    Add the folders that torch.utils.cpp_extension.include_paths() lists with -I, or build with load_inline.
    """

    code = "DG811"
    name = "torch-headers-missing"
    hides = ("DG220",)  # the general one
    placed = True
    told = missing_header(r"(?:torch|ATen|c10|pybind11)/(?!cuda/impl/)[\w/.-]+")
    fact = "the compiler does not find {header}"
    remedy = "add the folders of torch.utils.cpp_extension.include_paths() with -I, or build with load_inline; check that this torch has {header}"
    CASES = (Case("torch_header_missing", says="torch/extension.h"),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        """Not for a name that is one letter off: DG220 says so."""
        hit = super().match(log, candidate)
        found = log.find(self.told)
        header = found[1]["header"] if found else ""
        close = difflib.get_close_matches(header, KNOWN_HEADERS, 1, 0.85)
        return hit if not close or header in KNOWN_HEADERS else None
