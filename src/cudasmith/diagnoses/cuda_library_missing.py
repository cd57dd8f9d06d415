"""DG418."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class CudaLibraryMissing(PythonError):
    """The module needs a CUDA library of a version that this machine does not have.

    It was built with another major version of CUDA: libcudart.so.11.0 and libcudart.so.12 are different
    libraries. Or the toolkit is there, in a folder that the loader does not search.

    Build again with the CUDA of the installed torch (torch.version.cuda). If the version is right, add
    the toolkit's lib64 to LD_LIBRARY_PATH.
    """

    code = "DG418"
    name = "cuda-library-missing"
    hides = ("DG834",)  # the general one
    type = r"ImportError|OSError"
    told = r"^(?P<library>lib(?:cu(?!da\.)\w+|nv\w+|nccl)\.so[\w.]*): cannot open shared object file"
    fact = "the module needs {library}, which is not found"
    remedy = (
        "build it again with the CUDA of the installed torch, or add the folder of {library} to "
        "LD_LIBRARY_PATH"
    )
    CASES = (Case("public_cudart_missing", says="libcudart.so.11.0"),)
