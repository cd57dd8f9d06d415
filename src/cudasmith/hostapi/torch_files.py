"""The installed torch as files: found without importing it, which would take seconds."""

from __future__ import annotations

import functools
import importlib.util
import re
import sysconfig
from pathlib import Path

import attrs


@attrs.frozen
class TorchFiles:
    """An installed torch. `cuda` is the version it was built for, "13.0", or empty for a CPU build."""

    root: Path
    version: str
    cuda: str

    @property
    def number(self) -> tuple[int, int]:
        major, minor = re.findall(r"\d+", self.version)[:2]
        return int(major), int(minor)

    @property
    def standard(self) -> str:
        """The C++ standard that its headers and its load_inline ask for."""
        return "c++20" if self.number >= (2, 14) else "c++17"

    @property
    def includes(self) -> tuple[Path, ...]:
        include = self.root / "include"
        return (include, include / "torch" / "csrc" / "api" / "include")

    @property
    def lib(self) -> Path:
        return self.root / "lib"


@functools.cache
def torch_files() -> TorchFiles | None:
    """The torch of this interpreter, or None."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return None
    root = Path(found.origin).parent
    text = (root / "version.py").read_text(encoding="utf-8")
    version = re.search(r"__version__ = ['\"]([^'\"]+)", text)
    cuda = re.search(r"^cuda(?:: [^=]+)? = ['\"]([\d.]+)", text, re.MULTILINE)
    return TorchFiles(root, version[1] if version else "", cuda[1] if cuda else "")


def python_include() -> str:
    """The folder of Python.h."""
    return sysconfig.get_paths()["include"]
