"""DG835."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class MixedCudaLibraries(ToldLine):
    """Libraries of two CUDA versions met in one process.

    torch brings its CUDA libraries along, and LD_LIBRARY_PATH or another import made the loader take one of them from an
    installed toolkit. It has the same name and lacks what the others expect.

    Take the folders of the toolkit out of LD_LIBRARY_PATH: neither torch nor its extensions need them there.
    """

    code = "DG835"
    name = "mixed-cuda-libraries"
    hides = ("DG401",)
    told = r"undefined symbol: (?P<symbol>__nvJitLink\w+|cublasLt\w+|cusparse\w+|ncclComm\w+|cudnn\w+), version (?P<library>lib[\w.]+)"
    fact = "{library} of another CUDA version was loaded: it has no {symbol}"
    remedy = (
        "unset LD_LIBRARY_PATH (or take the CUDA folders out of it), so that torch loads its own libraries"
    )
    CASES = (Case("public_nvjitlink", says="libnvJitLink.so.12"),)
