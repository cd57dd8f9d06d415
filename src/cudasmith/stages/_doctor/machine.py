"""Machine: what the checks look at, gathered once."""

from __future__ import annotations

import shlex
import sys

import attrs

from cudasmith.gpu.device import Device, query
from cudasmith.gpu.toolchain import Toolchain, find_nvcc
from cudasmith.hostapi.torch_files import TorchFiles, torch_files


@attrs.frozen
class Machine:
    """The environment and the file system are read by the checks themselves."""

    torch: TorchFiles | None
    device: Device
    toolchain: Toolchain | None

    @property
    def builds_for_gpu(self) -> bool:
        """torch can build CUDA extensions here, given what the checks ask for."""
        return self.torch is not None and bool(self.torch.cuda)

    @property
    def needs_gpu_builds(self) -> bool:
        """There is a GPU, so `port` verifies there and what a build needs is needed."""
        return self.device.usable


def look() -> Machine:
    """This machine."""
    return Machine(torch_files(), query(), find_nvcc())


def pip(*packages: str) -> str:
    """The command that installs into the environment that cudasmith runs in."""
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])


def numbers(version: str) -> tuple[int, ...]:
    """ "13.0.88" as (13, 0, 88)."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def major_minor(version: str) -> str:
    """ "13.0.88" as "13.0"."""
    return ".".join(version.split(".")[:2])
