"""DG802."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CudaHomeUnset(ToldLine):
    """torch does not know where the CUDA toolkit is.

    It looks at CUDA_HOME, then for nvcc on PATH, then at /usr/local/cuda, and it does so once, on import. The CPU build of
    torch does not look at all, and says the same even when CUDA_HOME is set.

    Install a toolkit of the version that torch.version.cuda names, and set CUDA_HOME to its root (the folder that
    holds bin/nvcc) before Python starts. If torch.version.cuda is None, install a CUDA build of torch.
    """

    code = "DG802"
    name = "cuda-home-unset"
    told = r"^OSError: CUDA_HOME environment variable is not set"
    fact = "torch found no CUDA toolkit: CUDA_HOME is not set"
    remedy = "set CUDA_HOME to the folder that holds bin/nvcc before Python starts; with torch.version.cuda None, install a CUDA build of torch"
    CASES = (
        Case("cuda_home_none"),
        Case("cuda_home_of_cpu_torch"),
    )
