"""Write a file whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

from cudasmith.model import CudasmithError

_NAME_A_FILE = "name a file, for example -o model_new.py"
_ELSEWHERE = "choose another place with -o FILE"


def output_path(name: str) -> Path:
    """The path that `-o NAME` means. Raises: CudasmithError for a name that can be no file's."""
    if not name:
        raise CudasmithError("CSW008", "the output path is empty", help=_NAME_A_FILE)
    if name.endswith(os.sep):  # Path drops it, and would write a file of the folder's name
        raise _is_folder(name)
    return Path(name)


def check_writable(path: Path) -> None:
    """Refuse an output path before any work is done.

    Raises: CudasmithError when the folder is missing or not writable, or the path is a folder.
    """
    folder = path.parent
    try:
        path.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise CudasmithError(
                "CSW009", "the output path is too long", help="choose a shorter name"
            ) from error
    if path.is_dir():
        raise _is_folder(str(path))
    if path.exists() and not path.is_file():
        message = f"the output path is not a regular file: {path}"
        raise CudasmithError("CSW006", message, help=_NAME_A_FILE)
    if not folder.is_dir():
        raise _no_folder(folder)
    try:
        handle, probe = tempfile.mkstemp(dir=folder, prefix=".cudasmith-")
    except OSError as error:
        raise CudasmithError(
            "CSW003", f"cannot write in {folder}: {_reason(error)}", help=_ELSEWHERE
        ) from error
    os.close(handle)
    Path(probe).unlink()


def _is_folder(name: str) -> CudasmithError:
    example = str(Path(name) / "model_new.py")
    return CudasmithError("CSW001", f"the output path is a folder: {name}", help=f"name a file: -o {example}")


def _no_folder(folder: Path) -> CudasmithError:
    if folder.exists():
        return CudasmithError("CSW002", f"the output folder is not a folder: {folder}", help=_ELSEWHERE)
    return CudasmithError("CSW002", f"the output folder does not exist: {folder}", help=f"mkdir -p {folder}")


def _reason(error: OSError) -> str:
    """/proc and the like answer "no such file" about a file that was to be made."""
    return "no files can be made there" if error.errno == errno.ENOENT else str(error.strerror)


def write_atomically(path: Path, text: str) -> Path:
    """Write `text` beside `path` and rename it there.

    Raises: CudasmithError when the place cannot be written; nothing is left behind.
    """
    check_writable(path)
    _replace(path, text.encode(), 0o666 & ~_umask())
    return path


def rewrite_atomically(path: Path, data: bytes) -> None:
    """Put `data` into an existing file. The file's mode is kept, and a link to it.

    Raises: as `write_atomically`; the file is then as it was.
    """
    target = path.resolve()
    check_writable(target)
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & 0o222:  # a rename would not mind
        raise CudasmithError("CSW004", f"cannot write {path}: it is read-only", help=f"chmod u+w {path}")
    _replace(target, data, mode)


def _replace(path: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".cudasmith-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            message = f"cannot write {path}: {error.strerror}"
            raise CudasmithError("CSW004", message, help=_ELSEWHERE) from error
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
