"""DG809."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_library


class TorchCudaNotFound(ToldLine):
    """The linker does not find torch's CUDA libraries, since the installed torch has none.

    The build of torch for CPUs lacks libtorch_cuda.so and libc10_cuda.so. An extension with CUDA sources cannot be linked to
    it; libraries that were made with another torch do not load either.

    Install a CUDA build of torch: `python -c "import torch; print(torch.version.cuda)"` must print a version.
    """

    code = "DG809"
    name = "torch-cuda-not-found"
    hides = ("DG406",)
    told = missing_library(r"(?:torch_cuda\w*|c10_cuda)")
    fact = "the installed torch has no lib{library}.so: it is the build for CPUs"
    remedy = "install a CUDA build of torch; torch.version.cuda must not be None"
    CASES = (Case("lib_torch_cuda", says="libc10_cuda.so"),)
