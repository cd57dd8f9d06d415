"""DG626."""

from __future__ import annotations

import re

from cudasmith.diagnoses._cuda_error import ABORTED
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_STATUS = re.compile(
    r"(?i:error).*\b(?P<status>(?P<library>CUBLAS|CUDNN|CUSPARSE|CUFFT|CUSOLVER|CURAND)_STATUS_(?P<what>\w+))"
    r"(?:,? when calling `(?P<call>\w+)\()?"
)
_WHY = {
    "ALLOC_FAILED": "the library found too little GPU memory for its workspace: free memory or make the input smaller",
    "NOT_INITIALIZED": "the library could not start: often the GPU's memory is full, or an earlier kernel has failed",
    "INVALID_VALUE": "a size, leading dimension or pointer is wrong: check shapes and strides of the operands",
    "BAD_PARAM": "a descriptor or shape given to it is wrong: check shapes and strides of the operands",
    "NOT_SUPPORTED": "it has no kernel for this dtype, layout or alignment: take another one, or contiguous operands",
    "ARCH_MISMATCH": "it has no kernel for this GPU: install a torch built for it",
}
_ELSE = (
    "an earlier kernel may have failed (run with CUDA_LAUNCH_BLOCKING=1), or the operands' sizes do not fit"
)


class LibraryCallFailed(Diagnosis):
    """A call into cuBLAS, cuDNN or one of their relatives did not succeed.

    The status tells little. EXECUTION_FAILED and INTERNAL_ERROR are mostly the echo of a kernel before it
    that wrote where it should not; NOT_INITIALIZED and ALLOC_FAILED of a full memory; INVALID_VALUE of
    shapes or strides that do not fit; an old library on a new card fails in any of these ways.

    Run with CUDA_LAUNCH_BLOCKING=1: if an own kernel fails first, mend that. Then check the operands'
    shapes, dtypes and strides, and the free memory.
    """

    code = "DG626"
    name = "library-call-failed"
    hides = (ABORTED,)
    CASES = (
        Case("public_library_call_failed", says="cublasSgemm gave CUBLAS_STATUS_EXECUTION_FAILED"),
    )  # public wording

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_STATUS)
        if found is None or found[0] in {said.at for said in log.said}:
            return None
        at, m = found
        return Hit(
            f"{m['call'] or 'a call into ' + m['library']} gave {m['status']}",
            at,
            _WHY.get(m["what"], _ELSE),
            span=user_frame(log, at, candidate),
        )
