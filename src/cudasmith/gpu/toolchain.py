"""Toolchain: the CUDA toolkit of this machine, found behind shims and in wheels, without torch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import attrs

QUERY_TIMEOUT_S = 20
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
        return any((Path(self.root) / d / "libcudart.so").exists() for d in ("lib64", "lib"))

    @property
    def library_dir(self) -> str:
        """The folder of the runtime library under any name, or empty. Wheels ship only libcudart.so.13."""
        return next((str(p.parent) for p in self._cudarts()), "")

    @property
    def cudart(self) -> str:
        """The runtime library's file name for the linker's -l:, or empty."""
        return next((p.name for p in self._cudarts()), "")

    def _cudarts(self) -> Iterator[Path]:
        for folder in ("lib64", "lib"):
            yield from sorted((Path(self.root) / folder).glob("libcudart.so*"))


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
    yield Path("/usr/local/cuda")
    site = Path(sysconfig.get_paths()["purelib"]) / "nvidia"
    yield from sorted(site.glob("cu[0-9]*"), reverse=True)


def _root_behind(nvcc: Path) -> Path:
    """The toolkit that this nvcc belongs to. A shell shim is asked: a dry run prints "#$ TOP=<root>"."""
    real = nvcc.resolve()
    with real.open("rb") as file:
        is_script = file.read(2) == b"#!"
    if is_script:
        text = _said([str(real), "--dryrun", "-x", "cu", "-E", os.devnull])
        found = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
        if found:
            return Path(found.group(1)).resolve()
    return real.parent.parent


def _version(nvcc: Path) -> str:
    found = _RELEASE.search(_said([str(nvcc), "--version"]))
    return found.group(1) if found else ""


def _said(command: list[str]) -> str:
    """What a short command prints, or nothing when it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=QUERY_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
