"""DG311."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


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
    declared = r"__constant__[^;\n]*"
    CASES = (Case("ptxas_constant_too_big", says="0x13880", line=4),)
