"""Write a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cudasmith.model import CudasmithError


def check_writable(path: Path) -> None:
    """Refuse an output path before any work is done.

    Raises: CudasmithError when the folder is missing or not writable, or the path is a folder.
    """
    folder = path.parent
    if path.is_dir():
        raise CudasmithError(
            "CSW001", f"the output path is a folder: {path}", help="name a file, for example model_new.py"
        )
    if path.exists() and not path.is_file():
        message = f"the output path is not a regular file: {path}"
        raise CudasmithError("CSW006", message, help="name a file, for example model_new.py")
    if not folder.is_dir():
        raise CudasmithError(
            "CSW002", f"the output folder does not exist: {folder}", help=f"mkdir -p {folder}"
        )
    try:
        handle, probe = tempfile.mkstemp(dir=folder, prefix=".cudasmith-")
    except OSError as error:
        message = f"cannot write in {folder}: {error.strerror}"
        raise CudasmithError("CSW003", message, help="choose another place with -o FILE") from error
    os.close(handle)
    Path(probe).unlink()


def write_atomically(path: Path, text: str) -> Path:
    """Write `text` beside `path` and rename it there.

    Raises: CudasmithError when the place cannot be written; nothing is left behind.
    """
    check_writable(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".cudasmith-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise CudasmithError("CSW004", f"cannot write {path}: {error.strerror}") from error
        raise
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
