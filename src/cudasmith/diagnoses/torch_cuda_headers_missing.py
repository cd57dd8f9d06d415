"""DG810."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_header


class TorchCudaHeadersMissing(ToldLine):
    """The code includes CUDA headers of torch, and the installed torch was built without CUDA.

    The headers below c10/cuda and ATen/cuda are there in both builds, but one that they all need, with the settings of
    the CUDA build, is not.

    Install a CUDA build of torch; a machine without a GPU can use it as well, to compile.
    """

    code = "DG810"
    name = "torch-cuda-headers-missing"
    hides = (
        "DG220",
        "DG221",
    )
    placed = True
    told = missing_header(r"c10/cuda/impl/cuda_cmake_macros\.h")
    fact = "the installed torch is the build for CPUs: {header} is missing"
    remedy = (
        "install a CUDA build of torch (it also works without a GPU); torch.version.cuda must not be None"
    )
    CASES = (
        Case("cuda_macros_missing"),
        Case("cuda_macros_missing_nvcc"),
    )
