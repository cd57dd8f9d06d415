"""torch as files: what it was built for and what its extension builder asks for, without importing it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import attrs

_STANDARD = re.compile(r"-std=c\+\+(\d+)")


@attrs.frozen
class Torch:
    """An installed torch. `cuda` is "13.0", or "" for one built without CUDA."""

    root: str
    version: str
    cuda: str
    standard: int  # of C++, that its headers need
    baton: bool  # builds wait for a lock file to disappear, for ever after a killed build


def find_torch() -> Torch | None:
    """The torch that this interpreter would import."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    return torch_in(Path(spec.origin).parent)


def torch_in(root: Path) -> Torch | None:
    """The torch in a folder, or None when there is no version.py."""
    try:
        text = (root / "version.py").read_text()
    except OSError:
        return None
    builder = _text(root / "utils" / "cpp_extension.py")
    standards = [int(number) for number in _STANDARD.findall(builder)]
    return Torch(
        str(root),
        _value("__version__", text),
        _value("cuda", text),
        max(standards, default=17),
        "FileBaton(" in builder,
    )


def _value(name: str, text: str) -> str:
    found = re.search(rf"^{name}\s*(?::[^=]+)?=\s*['\"]([^'\"]+)['\"]", text, re.MULTILINE)
    return found.group(1) if found else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
