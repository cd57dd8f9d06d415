"""DG635."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class DriverMismatch(CudaError):
    """The driver has a part in the kernel and a part in libcuda.so, and the two disagree.

    A driver was updated without a reboot, or a container brings a libcuda of its own in front of the one
    of the host.

    Reboot; or see with `ldconfig -p | grep libcuda` and LD_LIBRARY_PATH which library is found first.
    """

    code = "DG635"
    name = "driver-mismatch"
    names = ("cudaErrorSystemDriverMismatch", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH")
    text = "system has unsupported display driver / cuda driver combination"
    number = 803
    fact = "the kernel module of the driver and its library are of different versions"
    remedy = (
        "reboot after a driver update; in a container remove its own libcuda / compat folder from "
        "LD_LIBRARY_PATH"
    )
    CASES = (Case("public_driver_mismatch"),)  # the wording comes from public reports
