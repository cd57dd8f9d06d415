"""DG805."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CudaVersionMismatch(ToldLine):
    """The toolkit that compiles has another CUDA version than the one torch was built with.

    The libraries of two major versions do not fit together. A setup.py build checks that and stops; load_inline does
    not check, and such a module may load and fail later. Often another nvcc stands first on PATH.

    Set CUDA_HOME to a toolkit of the version in torch.version.cuda (the first number must agree), or install a torch that was built
    for the toolkit.
    """

    code = "DG805"
    name = "cuda-version-mismatch"
    told = r"(?:The )?detected CUDA version \((?:%s|(?P<found>[\d.]+))\) mismatches the version that was used to compile ?\\?n? ?PyTorch(?: \((?P<torch>[\d.]+)\)|.*, '(?P<found2>[\d.]+)', '(?P<torch2>[\d.]+)'\))?"
    fact = "nvcc is of CUDA {found}{found2}, torch was built with {torch}{torch2}"
    remedy = (
        "set CUDA_HOME to a toolkit of torch.version.cuda, or install a torch for the toolkit that you have"
    )
    CASES = (Case("nvcc_other_major_mismatch", says="12.4, torch was built with 13.0"),)
