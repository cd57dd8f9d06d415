"""DG808."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_library


class CudaLibraryNotFound(ToldLine):
    """Everything was compiled, but the linker does not find a library of the CUDA toolkit.

    torch looks in lib64 (or lib) below CUDA_HOME. The library is not there when CUDA_HOME was guessed from a script that only
    starts the real nvcc, when the toolkit came from pip, whose packages have libcudart.so.13 and no libcudart.so, or for -lcuda when only the
    driver's stubs are installed (lib64/stubs).

    Set CUDA_HOME to the real root of the toolkit; or make the missing link (`ln -s libcudart.so.13 libcudart.so`); or add
    the folder: extra_ldflags=["-L/path/to/lib64"].
    """

    code = "DG808"
    name = "cuda-library-not-found"
    hides = (
        "DG406",
        "DG405",
    )
    told = missing_library(r"(?:cuda|cudart|cudart_static|cudadevrt|nvrtc|nvToolsExt)")
    fact = "the linker finds no lib{library}.so"
    remedy = "set CUDA_HOME to the toolkit's root, or add -L with the folder that holds lib{library} to extra_ldflags"
    CASES = (
        Case("lib_cudart", says="libcudart.so"),
        Case("lib_cudadevrt", says="libcudadevrt"),
        Case("lib_cuda", says="libcuda.so"),
    )
