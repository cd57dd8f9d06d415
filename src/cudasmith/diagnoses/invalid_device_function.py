"""DG613."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidDeviceFunction(CudaError):
    """The runtime looked for the kernel's code in what was loaded for this GPU and did not find it.

    Either the library was compiled for other architectures, or the launched symbol is no kernel: a
    function pointer of another shared library, a template that was never instantiated for the device, a
    library that was unloaded.

    Drop the arch options and build again in an empty folder. With function pointers, take the address of
    the kernel in the same .cu file in which it is launched.
    """

    code = "DG613"
    name = "invalid-device-function"
    names = ("cudaErrorInvalidDeviceFunction", "CUDA_ERROR_INVALID_DEVICE_FUNCTION")
    text = "invalid device function"
    number = 98
    fact = "the kernel that was launched does not exist for this GPU"
    remedy = (
        "build for the compute capability of this card, remove the old build folder, and do not take the "
        "address of a kernel through a host function pointer of another library"
    )
    CASES = (Case("public_invalid_device_function"),)  # the wording comes from public reports
