"""Runner: the environment in which torch's own load_inline builds and runs a candidate on the GPU."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from cudasmith.gpu import cudart, toolchain
from cudasmith.gpu.device import Device

BUILD_JOBS = 2  # a translation unit with torch headers takes up to 3 GB


def environment(device: Device, workdir: Path) -> dict[str, str]:
    """Variables for a worker: a private build directory, the real toolkit, one architecture, ninja on PATH.

    A private directory per run, because torch reuses the library of a failed build, and of another
    process, under the same name.
    """
    found = toolchain.find_nvcc()
    env = {
        "TORCH_EXTENSIONS_DIR": str(workdir / "extensions"),
        "MAX_JOBS": str(BUILD_JOBS),
        "TORCH_NO_COMPILER_WRAPPER": "1",
        "NVIDIA_TF32_OVERRIDE": "0",
        "PATH": os.pathsep.join([*_ninja_dirs(), os.environ.get("PATH", os.defpath)]),
    }
    if device.usable:
        env["TORCH_CUDA_ARCH_LIST"] = device.arch_list
    if found is not None:
        env["CUDA_HOME"] = found.root
        headers = toolchain.wheel_headers()
        if headers and not (Path(found.root) / "include" / "cusparse.h").exists():
            env["CUDA_INC_PATH"] = headers  # slim toolkits lack what ATen/cuda headers include
        search = cudart.search_dirs(found)
        if search:  # torch has -lcudart linked; wheels lack that name
            own = os.environ.get("LIBRARY_PATH")
            env["LIBRARY_PATH"] = os.pathsep.join([*search, *([own] if own else [])])
    return env


def _ninja_dirs() -> list[str]:
    """Where the interpreter's own ninja lies, unless one is on PATH already."""
    beside = Path(sys.executable).parent / "ninja"
    return [str(beside.parent)] if not shutil.which("ninja") and beside.exists() else []
