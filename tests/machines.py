"""Fake machines for the checks of doctor: trees of files below a tmp_path."""

from __future__ import annotations

import shlex
from pathlib import Path

from cudasmith.gpu.device import Device
from cudasmith.gpu.toolchain import Toolchain
from cudasmith.hostapi.torch_files import TorchFiles
from cudasmith.stages._doctor.machine import Machine

H100 = Device("NVIDIA H100", 9, 0, cuda="13.0")
NO_GPU = Device(reason="OSError: libcuda.so.1: cannot open shared object file")


def torch(cuda: str = "13.0", *, standard: int = 20, baton: bool = False) -> TorchFiles:
    return TorchFiles(
        Path("/site/torch"),
        f"2.14.1+cu{cuda.replace('.', '')}" if cuda else "2.14.1+cpu",
        cuda,
        standard,
        baton,
    )


def machine(
    torch: TorchFiles | None = None, device: Device = NO_GPU, toolchain: Toolchain | None = None
) -> Machine:
    return Machine(torch, device, toolchain)


def script(path: Path, *lines: str) -> Path:
    """An executable that prints these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + "".join(f"echo {shlex.quote(line)}\n" for line in lines))
    path.chmod(0o755)
    return path


def compiler(path: Path, version: str, *, refuses: str = "") -> Path:
    """A g++ (or clang++, by its name) that says its version and accepts every file, or refuses with a text."""
    kind = "clang version" if "clang" in path.name else f"{path.name} (Debian 1.2-3)"
    path.parent.mkdir(parents=True, exist_ok=True)
    end = f'echo "{refuses}" >&2; exit 1' if refuses else "exit 0"
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{kind} {version}"; exit 0; fi\n{end}\n')
    path.chmod(0o755)
    return path


def toolkit(
    root: Path, version: str = "13.0.88", *, lib: str = "lib64", arches: tuple[int, ...] = (75, 90)
) -> Toolchain:
    """A toolkit with nvcc, the runtime's header and libcudart.so.13 without its plain name."""
    nvcc = script(root / "bin" / "nvcc")
    listed = "\\n".join(f"compute_{a}" for a in arches)
    nvcc.write_text(
        f'#!/bin/sh\nif [ "$1" = --list-gpu-arch ]; then printf "{listed}\\n"; '
        f'else echo "Cuda compilation tools, release 1.0, V{version}"; fi\n'
    )
    for folder in (root / lib, root / "include" / "crt"):
        folder.mkdir(parents=True)
    (root / lib / "libcudart.so.13").touch()
    (root / "include" / "cuda_runtime.h").touch()
    (root / "include" / "crt" / "host_config.h").write_text(
        "#if __GNUC__ > 15\n#error\n#endif\n#if (__clang_major__ >= 21) || (__clang_major__ < 3)\n"
    )
    return Toolchain(str(root), version)
