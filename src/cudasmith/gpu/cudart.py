"""cudart: CUDA's runtime library under the name that a linker asks for.

The wheels ship libcudart.so.13 without libcudart.so. The missing name is a symlink in cudasmith's cache, one
directory per toolkit; site-packages stays as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from pathlib import Path

from cudasmith.gpu.toolchain import Toolchain
from cudasmith.store.place import root


def versioned(found: Toolchain) -> Path | None:
    """The toolkit's libcudart.so.N, the newest; None when it has none."""
    for folder in found.lib_dirs:
        libraries = [p for p in folder.glob("libcudart.so.*") if p.is_file()]
        if libraries:
            return max(libraries, key=_numbers)
    return None


def link_dir(found: Toolchain) -> Path:
    """Where the symlink of this toolkit lies, or would."""
    return root() / "cudart" / hashlib.sha256(str(Path(found.root).resolve()).encode()).hexdigest()[:12]


def linked(found: Toolchain) -> bool:
    """The symlink is there and names this toolkit's library."""
    library = versioned(found)
    link = link_dir(found) / "libcudart.so"
    return library is not None and link.exists() and link.resolve() == library.resolve()


def ensure_link(found: Toolchain) -> Path | None:
    """The directory with the symlink, made when it is not there; None when there is no library to name.

    Raises: OSError when the cache cannot be written.
    """
    library = versioned(found)
    if library is None:
        return None
    folder = link_dir(found)
    if not linked(found):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            link = Path(scratch) / "libcudart.so"
            link.symlink_to(library.resolve())
            link.replace(folder / "libcudart.so")  # at once: another process may be linking
    return folder


def search_dirs(found: Toolchain) -> tuple[str, ...]:
    """Directories for the linker, beyond those that nvcc and torch name: for -L or LIBRARY_PATH.

    Empty for a toolkit that links as it is.
    """
    dirs: list[Path] = []
    lib64, lib = found.lib_dirs
    if not lib64.is_dir() and lib.is_dir():
        dirs.append(lib)  # nvcc asks lib64 for cudadevrt and cudart_static
    if not found.links:
        with contextlib.suppress(OSError):  # then the linker says what is missing
            folder = ensure_link(found)
            dirs += [folder] if folder else []
    return tuple(str(d) for d in dirs)


def _numbers(path: Path) -> tuple[int, ...]:
    parts = path.name.removeprefix("libcudart.so.").split(".")
    return tuple(int(part) for part in parts if part.isdigit())
