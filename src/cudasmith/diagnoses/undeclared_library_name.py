"""DG216."""

from __future__ import annotations

from cudasmith.diagnoses._compile import include_fix
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import unknown_name
from cudasmith.model import Candidate


class UndeclaredLibraryName(Diagnosis):
    """A name of a library is used whose header is not included.

    Headers bring in other headers, so code that was written for a longer list of includes, or for another version of one
    of them, may miss a name. With `no_implicit_headers=True` load_inline adds no header of torch either.

    Include the header named here at the top of the source.
    """

    code = "DG216"
    name = "undeclared-library-name"
    CASES = (
        Case("odd_binding_without_torch", says="PYBIND11_MODULE", line=17),
        Case("odd_cub_not_included", says="cub::BlockReduce", line=10),
        Case("stream_without_header", says="getCurrentCUDAStream", line=17),
        Case("unknown_type", says="half is not declared", line=5),
        Case("half_without_header", says="__half", line=5),
        Case("int8_type", says="uint32_t", line=5),
        Case("cp_async_needs_include", says="__pipeline_memcpy_async", line=7),
        Case("getcurrentstream_undeclared", says="at::cuda::getCurrentCUDAStream", line=8),
        Case("gxx_cuda_type_in_cpp", says="dim3", line=5),
        Case("gxx_unknown_type", says="Tensor", line=5),
        Case("half_without_header_in_cu", says="half"),
        Case("flt_max_in_cu", says="FLT_MAX"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "library" or unknown.header is None:
            return None
        said, header = unknown.said, unknown.header
        help = f"write #include <{header}> at the top"
        if unknown.name == "Tensor":
            return hit_at(
                said, "Tensor is not declared here", "write torch::Tensor, with #include <torch/extension.h>"
            )
        message = f"{unknown.name} is not declared: its header is not included"
        return hit_at(said, message, help, fix=include_fix(candidate, said, header))
