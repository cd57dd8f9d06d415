"""DG311."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError
from cudasmith.diagnoses._sizes import declared_bytes
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file

_DECLARED = re.compile(
    r"(?:static\s+)?__constant__\s+(?:const\s+)?(?P<type>[\w: ]+?)\s+\w+\s*(?P<extents>(?:\[[^\[\]]*\])+)"
)


class ConstantMemoryTooLarge(PtxasError):
    """The __constant__ variables of the file together exceed 64 KB.

    Constant memory that kernels see by name is 64 KB (0x10000 bytes) in all, on every card; all
    __constant__ variables of one module share it.

    Pass the table as a tensor and read it through a const __restrict__ pointer (__ldg): from a table
    that large the constant cache gains nothing.
    """

    code = "DG311"
    name = "constant-memory-too-large"
    pattern = (
        r"File uses too much global constant data \((?P<used>0x[0-9a-f]+) bytes, (?P<most>0x[0-9a-f]+) max\)"
    )
    fact = "the file's __constant__ variables take {used} bytes; {most} (64 KB) are all there is"
    remedy = "pass the large table as a tensor, through a const float* __restrict__ parameter"
    CASES = (
        Case("odd_largest_constant", says="bytes", line=6),
        Case("odd_large_constant", says="0x20100", line=8),
        Case("ptxas_constant_too_big", says="0x13880", line=4),
    )

    def place(self, candidate: Candidate | None) -> Span | None:
        """The largest of the __constant__ declarations."""
        found: list[tuple[int, Span]] = []
        for build in parse_file(candidate).builds if candidate is not None else ():
            for region in build.regions():
                for m in _DECLARED.finditer(region.text):
                    span = region.span(*m.span())
                    if span is not None:
                        found.append((declared_bytes(region.text, m["type"], m["extents"]), span))
        return max(found, key=lambda f: f[0])[1] if found else None
