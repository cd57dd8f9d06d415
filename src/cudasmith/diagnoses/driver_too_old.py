"""DG616."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_FOUND = re.compile(r"too old \(found version (?P<major>\d+)0(?P<minor>\d)0\)")


class DriverTooOld(CudaError):
    """The NVIDIA driver is older than the CUDA version that the program was built with, or there is none at
    all.

    The runtime inside an extension asks the driver for its version. A machine without any driver counts
    as version 0, so the same words come from a machine without a GPU, with no hint of that.

    Compare the "CUDA Version" of `nvidia-smi` with torch.version.cuda and `nvcc --version`: the driver's
    must not be smaller. Update the driver or install a torch for its version. Where nvidia-smi is
    missing, there is no driver.
    """

    code = "DG616"
    name = "driver-too-old"
    names = ("cudaErrorInsufficientDriver",)
    text = "CUDA driver version is insufficient for CUDA runtime version"
    also = ("The NVIDIA driver on your system is too old",)
    number = 35
    fact = "the driver is older than the CUDA runtime of the program, or this machine has none"
    remedy = "see `nvidia-smi`: if it fails, there is no driver or no GPU here; else update the driver or take a torch for it"
    CASES = (
        Case("rt_launch_check_no_gpu"),
        Case("rt_launch_err_string", returncode=0),
        Case("public_driver_too_old", says="up to CUDA 11.4"),  # the wording comes from public reports
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        m = _FOUND.search(log.lines[said.at])
        if m is None:
            return found
        return attrs.evolve(
            found,
            message=f"the driver knows versions up to CUDA {m['major']}.{m['minor']}; this torch needs a newer one",
        )
