"""The host C++ compiler, identified by its file, so that asking costs no process."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import attrs

from cudasmith.model import CudasmithError


@attrs.frozen
class Compiler:
    """A C++ compiler. `identity` changes when the program does."""

    path: str
    identity: str


def find_compiler() -> Compiler:
    """CXX, else c++ or g++, as torch's own builds choose.

    Raises: CudasmithError (exit code 4) when there is none.
    """
    for name in (os.environ.get("CXX"), "c++", "g++"):
        path = shutil.which(name) if name else None
        if path is not None:
            return Compiler(path, file_identity(path))
    raise CudasmithError(
        "CSB003",
        "no C++ compiler was found",
        help="install g++ (Debian, Ubuntu: apt-get install g++) or name a compiler in CXX",
        exit_code=4,
    )


def file_identity(path: str) -> str:
    """Real path, size and time of change of a program."""
    real = Path(path).resolve()
    known = real.stat()
    return f"{real}:{known.st_size}:{known.st_mtime_ns}"
