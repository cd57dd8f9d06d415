"""DG615."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class NoNvidiaDriver(Diagnosis):
    """torch looked for a GPU and found no NVIDIA driver on this machine.

    The machine has no NVIDIA card, the driver is not installed, or a container was started without access
    to the card. The CUDA toolkit is not enough: it compiles, the driver runs.

    Run where `nvidia-smi` shows a card (docker: --gpus all). Without a card, the kernels can run on the
    CPU with `--executor emulator`, and a build alone needs no driver.
    """

    code = "DG615"
    name = "no-nvidia-driver"
    CASES = (Case("rt_device_cuda_factory"), Case("rt_no_driver_cuda_call"))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError|AssertionError", r"Found no NVIDIA driver on your system")
        if found is None:
            return None
        return hit_raised(
            found[0],
            "this machine has no NVIDIA driver, so no tensor can be on a GPU",
            "run it where `nvidia-smi` works (containers: --gpus all), or on the CPU with `--executor emulator`",
            span=user_frame(log, found[0].at, candidate),
        )
