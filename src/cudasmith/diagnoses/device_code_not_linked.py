"""DG413."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class DeviceCodeNotLinked(RaisedError):
    """The CUDA source was compiled with -rdc=true and its device code was never linked.

    Relocatable device code needs a step of its own, nvcc -dlink, that registers the kernels. load_inline
    has no such step, so the registering function is missing at import.

    Remove -rdc=true (or -dc) from extra_cuda_cflags: one source needs none. For several, build with
    CUDAExtension(..., dlink=True) and link cudadevrt.
    """

    code = "DG413"
    name = "device-code-not-linked"
    types = r"ImportError|OSError"
    pattern = r"undefined symbol: (?:__cudaRegisterLinkedBinary|__fatbinwrap)_\w+"
    fact = "the source was compiled with -rdc=true and its device code is not linked"
    remedy = "remove -rdc=true from extra_cuda_cflags, or build with CUDAExtension(..., dlink=True)"
    CASES = (Case("rdc_not_linked", says="-rdc=true", line=21),)
