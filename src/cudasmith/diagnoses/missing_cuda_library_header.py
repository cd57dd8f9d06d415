"""DG221."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._libraries import library_help
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r"(?P<header>(?P<library>cublas|cusparse|cusolver|curand|cufft|nvrtc|nvtx|cudnn|nccl)\S*): No such file"
)
_CONTEXT = re.compile(r"ATen/cuda/CUDAContext(?:Light)?\.h")


class MissingCudaLibraryHeader(Diagnosis):
    """A header of a CUDA library such as cuBLAS, cuSPARSE, cuRAND or cuDNN is not found.

    The CUDA toolkit in use has the compiler and the run-time library only. torch's own CUDA header
    ATen/cuda/CUDAContext.h needs cuSPARSE, cuBLAS and cuSOLVER, so it fails in this way although the file names none.

    Include c10/cuda/CUDAStream.h, CUDAGuard.h or CUDAException.h instead of CUDAContext.h. If the library is needed: its
    headers come with torch's own packages, in site-packages/nvidia/*/include; pass that folder with extra_include_paths,
    or install the whole toolkit.
    """

    code = "DG221"
    name = "missing-cuda-library-header"
    CASES = (
        Case("cublas_header_missing", says="cublas_v2.h", line=4),
        Case("curand_header_missing", says="curand_kernel.h", line=5),
        Case("missing_library_header", says="cusparse.h", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID, "g++")
        if found is None:
            return None
        said, m = found
        message = f"the header {m['header']} of a CUDA library is not found"
        if said.file and _CONTEXT.search(said.file):
            help = "include <c10/cuda/CUDAStream.h> (or CUDAGuard.h) instead of <ATen/cuda/CUDAContext.h>, which needs it"
        else:
            help = library_help(m["library"], header=True)
        return hit_at(said, message, help)
