"""DG128."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class ArchListEmpty(PythonError):
    """torch does not know for which GPU it should compile: it sees none, and nobody told it.

    Without TORCH_CUDA_ARCH_LIST load_inline asks the cards of the machine. On a machine without a GPU the list stays empty, and
    torch stumbles over its last element, which is not there.

    Set TORCH_CUDA_ARCH_LIST to the capability of the card that will run the code: `export TORCH_CUDA_ARCH_LIST=9.0`. If the machine
    has a GPU, torch does not see it: look at `nvidia-smi` and CUDA_VISIBLE_DEVICES.
    """

    code = "DG128"
    name = "arch-list-empty"
    type = "IndexError"
    told = r"^list index out of range"
    within = "_get_cuda_arch_flags"
    fact = "torch sees no GPU and TORCH_CUDA_ARCH_LIST is not set, so it cannot choose an architecture"
    remedy = "set TORCH_CUDA_ARCH_LIST to the card's compute capability, such as 9.0"
    CASES = (Case("arch_unset_no_gpu", line=15),)
