"""Build: what a compiler said about one candidate."""

from __future__ import annotations

import enum

import attrs


class BuildStatus(str, enum.Enum):
    OK = "OK"
    COMPILE_ERROR = "COMPILE_ERROR"
    LINK_ERROR = "LINK_ERROR"
    IMPORT_ERROR = "IMPORT_ERROR"
    TIMEOUT = "TIMEOUT"
    NO_TOOLCHAIN = "NO_TOOLCHAIN"
    CRASHED = "CRASHED"


@attrs.frozen
class KernelResources:
    """What ptxas reports for one kernel on one architecture."""

    kernel: str  # demangled, without arguments where possible
    arch: str
    registers: int
    shared_bytes: int
    spill_bytes: int
    stack_bytes: int = 0


@attrs.frozen
class Build:
    """One build of one candidate by one executor ("emulator", "gpu", "nvcc")."""

    sha256: str
    executor: str
    status: BuildStatus
    seconds: float
    log: str = ""
    kernels: tuple[KernelResources, ...] = ()
    cached: bool = False
    tool: str = ""  # compiler and version
