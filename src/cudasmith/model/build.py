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
class Extension:
    """What one `load_inline` call asks for, all of it known. `functions`: name and docstring of each, or None.

    `flags` for the C++ compiler, `cuda_flags` for nvcc, `link_flags` for the linker.
    """

    name: str
    cpp_sources: tuple[str, ...] = ()
    cuda_sources: tuple[str, ...] = ()
    functions: tuple[tuple[str, str], ...] | None = None
    flags: tuple[str, ...] = ()
    cuda_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    implicit_headers: bool = True
    error_handling: bool = True  # torch::wrap_pybind_function around each of `functions`


@attrs.frozen
class Build:
    """One build of one candidate by one executor ("emulator", "gpu", "nvcc").

    `route` says how it was built where there is a choice, and why; `library` is the module's file.
    """

    sha256: str
    executor: str
    status: BuildStatus
    seconds: float
    log: str = ""
    kernels: tuple[KernelResources, ...] = ()
    cached: bool = False
    tool: str = ""  # compiler and version
    route: str = ""
    library: str = ""
    warnings: tuple[str, ...] = ()  # of a source that was accepted, as the compilers write them
    module: str = ""  # its name, where one call was built alone
