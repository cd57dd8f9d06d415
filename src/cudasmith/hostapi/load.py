"""Importing a built module into this process."""

from __future__ import annotations

import ctypes
import importlib.machinery
import importlib.util
import re
import types
from pathlib import Path

from cudasmith.model import CudasmithError
from cudasmith.store import digest

OF_TORCH = "torch.version"  # beside a module that torch's own load_inline has made: the torch that it needs
_INIT = re.compile(rb"\0PyInit_(\w+)\0")
_SUPPORT = re.compile(rb"libcudasmith_host_(\w+)\.so")
_held: dict[str, ctypes.CDLL] = {}  # support libraries: candidates find them by their names once loaded


def import_module(name: str, library: Path, support: Path) -> types.ModuleType:
    """The module whose init function is PyInit_<name>. Torch must be loaded.

    Raises: ImportError in the dynamic loader's words, for example for an undefined symbol.
    """
    _loaded(support)
    return _imported(name, library)


def _imported(name: str, library: Path) -> types.ModuleType:
    # pybind11 gives a second module of one name the contents of the first; the init function has the last part only.
    unique = f"cudasmith_{digest(str(library))}.{name}"
    loader = importlib.machinery.ExtensionFileLoader(unique, str(library))
    spec = importlib.util.spec_from_file_location(unique, library, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    module.__name__ = name
    return module


def load_built(library: Path) -> types.ModuleType:
    """The module in a file that `cudasmith build` has made: with the library in the cache that light headers need, or by
    torch's own load_inline.

    Raises: CudasmithError when it is none, or the cache no longer has all of it; ImportError in the dynamic loader's words.
    """
    try:
        data = library.read_bytes()
    except OSError as error:
        raise _no_module(library, f"it cannot be read: {error.strerror}") from None
    name, key, of_torch = _INIT.search(data), _SUPPORT.search(data), library.with_name(OF_TORCH)
    if name is not None and of_torch.is_file():
        return _of_torch(name[1].decode(), library, of_torch.read_text(encoding="utf-8"))
    if name is None or key is None:
        raise _no_module(library, "it is no module that `cudasmith build` has made")
    support = library.absolute().parents[2] / "support" / key[1].decode() / key[0].decode()
    if not support.is_file():
        raise _no_module(library, f"the cache no longer has {support.name}, which it needs")
    return import_module(name[1].decode(), library, support)


def _of_torch(name: str, library: Path, version: str) -> types.ModuleType:
    import torch  # its libraries must be in the process first

    if torch.__version__ != version:
        raise _no_module(library, f"it was built for torch {version}, this is torch {torch.__version__}")
    return _imported(name, library)


def _no_module(library: Path, reason: str) -> CudasmithError:
    return CudasmithError(
        "CSB026",
        f"this module cannot be loaded: {reason}",
        where=str(library),
        help="run `cudasmith build` again",
    )


def set_hooks(support: Path, address: int) -> None:
    """Have the csm_hooks at `address` called by bound functions (see abi.h)."""
    _loaded(support).csm_set_hooks(ctypes.c_void_p(address))


def _loaded(support: Path) -> ctypes.CDLL:
    """The support library, loaded once. Torch must be loaded."""
    import torch  # noqa: F401  its libraries must be in the process first

    if str(support) not in _held:
        _held[str(support)] = ctypes.CDLL(str(support))
    return _held[str(support)]
