"""DG813."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_header


class CudaHeadersMissing(ToldLine):
    """The compiler does not find the headers of the CUDA toolkit.

    g++ gets their folder from CUDA_HOME, and only when the extension has CUDA sources; with CUDA code in cpp_sources alone it
    is not named. A toolkit that is in pieces, or the wrong CUDA_HOME, looks alike.

    Set CUDA_HOME to the root of the toolkit; put the code into cuda_sources, or pass with_cuda=True to load_inline.
    """

    code = "DG813"
    name = "cuda-headers-missing"
    hides = (
        "DG220",
        "DG221",
    )
    placed = True
    told = missing_header(
        r"(?:cuda_runtime|cuda_runtime_api|cuda|cuda_fp16|cuda_bf16|driver_types|vector_types|device_launch_parameters)\.h|crt/[\w.]+"
    )
    fact = "the compiler does not find {header} of the CUDA toolkit"
    remedy = "set CUDA_HOME to the toolkit's root, and put code that includes {header} into cuda_sources (or pass with_cuda=True)"
    CASES = (Case("cuda_header_missing", says="cuda_runtime.h"),)
