"""The installed torch as files: found and read without importing it, which would take seconds."""

from __future__ import annotations

import functools
import importlib.util
import re
import sysconfig
from pathlib import Path

import attrs

_STANDARD = re.compile(r"-std=c\+\+(\d+)")


@attrs.frozen
class TorchFiles:
    """An installed torch. `cuda` is the version it was built for, "13.0", or empty for a CPU build."""

    root: Path
    version: str
    cuda: str
    standard: int  # of C++, that its headers need and its load_inline asks for
    baton: bool  # its builds wait for a lock file to disappear, for ever after a killed build

    @property
    def includes(self) -> tuple[Path, ...]:
        include = self.root / "include"
        return (include, include / "torch" / "csrc" / "api" / "include")

    @property
    def lib(self) -> Path:
        return self.root / "lib"


@functools.cache
def torch_files() -> TorchFiles | None:
    """The torch that this interpreter would import, or None."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return None
    return torch_in(Path(found.origin).parent)


def torch_in(root: Path) -> TorchFiles | None:
    """The torch in a folder, or None when there is no version.py."""
    try:
        text = (root / "version.py").read_text(encoding="utf-8")
    except OSError:
        return None
    builder = _text(root / "utils" / "cpp_extension.py")
    standards = [int(number) for number in _STANDARD.findall(builder)]
    return TorchFiles(
        root,
        _value("__version__", text),
        _value("cuda", text),
        max(standards, default=17),
        "FileBaton(" in builder,
    )


def python_include() -> str:
    """The folder of Python.h."""
    return sysconfig.get_paths()["include"]


def _value(name: str, text: str) -> str:
    found = re.search(rf"^{name}\s*(?::[^=]+)?=\s*['\"]([^'\"]+)['\"]", text, re.MULTILINE)
    return found.group(1) if found else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
