"""DG127."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class UnknownArch(PythonError):
    """TORCH_CUDA_ARCH_LIST names an architecture that this version of torch does not know.

    The list holds compute capabilities such as 8.0, 9.0a or 12.0+PTX, or code names such as Hopper. A mistyped number,
    sm_90 in place of 9.0, or a card that is newer than torch is refused before anything is compiled.

    Set the capability of the card (`torch.cuda.get_device_capability()`), or unset the variable where the card is in
    the machine. A newer card needs a newer torch, or -gencode in extra_cuda_cflags.
    """

    code = "DG127"
    name = "unknown-arch"
    type = "ValueError"
    told = r"^Unknown CUDA arch \((?P<arch>[^)]*)\) or GPU not supported"
    fact = "torch knows no CUDA architecture {arch!r}"
    remedy = "set TORCH_CUDA_ARCH_LIST to the card's compute capability, such as 9.0, or unset it"
    CASES = (Case("arch_unknown_torch", says="9.9", line=11),)
