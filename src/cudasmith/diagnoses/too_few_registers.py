"""DG312."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class TooFewRegisters(PtxasError):
    """An instruction needs more registers per thread than the compilation allows.

    The limit comes from --maxrregcount, or from __launch_bounds__ with many threads or blocks. Ordinary
    code spills to memory when registers run out; matrix instructions and ABI calls cannot, and the
    assembler gives up.

    Raise or drop the limit: remove --maxrregcount from extra_cuda_cflags, or lower the threads or the
    minimum of blocks in __launch_bounds__.
    """

    code = "DG312"
    name = "too-few-registers"
    pattern = r"(?:\(C7602\) )?Insufficient registers \((?P<had>\d+)\) to compile instruction at line \d+ in function (?P<kernel>[\w$.]+?)\. Try to compile with register target of (?P<need>\d+)"
    fact = "{kernel} may use {had} registers per thread and an instruction in it needs {need}"
    remedy = "allow at least {need}: raise or drop --maxrregcount, or lower the numbers in __launch_bounds__"
    CASES = (Case("ptxas_registers", says="needs 28"),)
