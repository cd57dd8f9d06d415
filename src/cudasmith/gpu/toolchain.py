"""Toolchain: the CUDA toolkit of this machine, found behind shims and in wheels, without torch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

QUERY_TIMEOUT_S = 20
DEFAULT_ROOT = Path("/usr/local/cuda")
_RELEASE = re.compile(r"release [\d.]+, V([\d.]+)")


@attrs.frozen
class Toolchain:
    """A toolkit whose `bin/nvcc` and `include/cuda_runtime.h` exist. `version` is nvcc's own: "13.0.88"."""

    root: str
    version: str

    @property
    def nvcc(self) -> str:
        return str(Path(self.root) / "bin" / "nvcc")

    @property
    def links(self) -> bool:
        """The runtime library is there under its unversioned name, so that linking can work."""
        return any((d / "libcudart.so").exists() for d in self.lib_dirs)

    @property
    def lib_dirs(self) -> tuple[Path, ...]:
        """Where libraries may lie: nvcc itself looks into the first only."""
        return Path(self.root) / "lib64", Path(self.root) / "lib"


def find_nvcc() -> Toolchain | None:
    """The first complete toolkit of CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, the wheels."""
    for root in _roots():
        if (root / "bin" / "nvcc").is_file() and (root / "include" / "cuda_runtime.h").is_file():
            version = _version(root / "bin" / "nvcc")
            if version:
                return Toolchain(str(root), version)
    return None


def _roots() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    on_path = shutil.which("nvcc")
    if on_path:
        yield _root_behind(Path(on_path))
    yield DEFAULT_ROOT
    yield from wheel_roots()


def wheel_roots() -> Iterator[Path]:
    """The folders where wheels put CUDA: site-packages/nvidia/cu13, on every path of this interpreter."""
    for entry in sys.path:
        yield from sorted(Path(entry or ".").glob("nvidia/cu[0-9]*"), key=_number, reverse=True)


def wheel_headers() -> str:
    """The include folder of torch's own wheels, with the library headers that slim toolkits lack; or ""."""
    for root in wheel_roots():
        if (root / "include" / "cusparse.h").exists():
            return str(root / "include")
    return ""


def _number(root: Path) -> int:
    digits = root.name.removeprefix("cu")
    return int(digits) if digits.isdigit() else -1


def _root_behind(nvcc: Path) -> Path:
    """The toolkit that this nvcc belongs to. A shell shim is asked: a dry run prints "#$ TOP=<root>"."""
    real = nvcc.resolve()
    with real.open("rb") as file:
        is_script = file.read(2) == b"#!"
    if is_script:
        text = said([str(real), "--dryrun", "-x", "cu", "-E", os.devnull])
        found = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
        if found:
            return Path(found.group(1)).resolve()
    return real.parent.parent


def _version(nvcc: Path) -> str:
    found = _RELEASE.search(said([str(nvcc), "--version"]))
    return found.group(1) if found else ""


def said(command: list[str]) -> str:
    """What a short command prints, or nothing when it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=QUERY_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def takes_arch(found: Toolchain, arch: str) -> bool:
    """Whether nvcc makes device code for "sm_90a": it lists no variants, but refuses at once those that it does not know."""
    number = arch.removeprefix("sm_")
    code = f"-gencode=arch=compute_{number},code=sm_{number}"
    return "Unsupported gpu architecture" not in said(
        [found.nvcc, "--dryrun", code, "-x", "cu", "-c", os.devnull, "-o", os.devnull]
    )


def known_arches(found: Toolchain) -> tuple[str, ...]:
    """Architectures that nvcc makes device code for ("sm_90"), without their variants "sm_90a"; empty where it does not say."""
    names = {line for line in said([found.nvcc, "--list-gpu-code"]).split() if re.fullmatch(r"sm_\d+", line)}
    return tuple(sorted(names, key=lambda name: int(name[3:])))
