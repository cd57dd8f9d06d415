"""DG269."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import unknown_name
from cudasmith.model import Candidate


class CudaInCppSources(Diagnosis):
    """CUDA code stands in `cpp_sources`, which g++ compiles: it does not know `__global__`, `threadIdx` or `<<<...>>>`.

    load_inline gives `cpp_sources` to the C++ compiler and `cuda_sources` to nvcc.

    Move kernels and the functions that launch them to `cuda_sources`; leave in `cpp_sources` only their declarations, or
    nothing.
    """

    code = "DG269"
    name = "cuda-in-cpp-sources"
    hides = ("DG211",)
    CASES = (
        Case("cuda_string_in_cpp_sources", says="__global__", line=3),
        Case("launch_in_cpp_sources", says="<<<...>>>", line=12),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "keyword":
            return self._launch(log)
        message = f"CUDA code ({unknown.name}) stands in cpp_sources, which g++ compiles"
        return hit_at(unknown.said, message, "move this text to cuda_sources=[...]")

    @staticmethod
    def _launch(log: Log) -> Hit | None:
        found = own_error(log, rf"expected primary-expression before {Q}[<>]{Q} token")
        if found is None or found[0].tool != "g++" or detail(log, found[0], r"\w\s*<<<") is None:
            return None
        message = "a kernel launch <<<...>>> stands in cpp_sources, which g++ compiles"
        help = "move this function to cuda_sources=[...] and leave its declaration in cpp_sources"
        return hit_at(found[0], message, help)
