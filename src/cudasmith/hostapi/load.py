"""Importing a built module into this process."""

from __future__ import annotations

import ctypes
import importlib.machinery
import importlib.util
import types
from pathlib import Path

_held: dict[str, ctypes.CDLL] = {}  # support libraries: candidates find them by their names once loaded


def import_module(name: str, library: Path, support: Path) -> types.ModuleType:
    """The module whose init function is PyInit_<name>. Torch must be loaded.

    Raises: ImportError in the dynamic loader's words, for example for an undefined symbol.
    """
    import torch  # noqa: F401  the support library needs torch's libraries in the process

    if str(support) not in _held:
        _held[str(support)] = ctypes.CDLL(str(support))
    loader = importlib.machinery.ExtensionFileLoader(name, str(library))
    spec = importlib.util.spec_from_file_location(name, library, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
