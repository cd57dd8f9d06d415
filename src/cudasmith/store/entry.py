"""One entry of the store: a directory that is complete or absent."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from cudasmith.model import CudasmithError
from cudasmith.store.place import root

MANIFEST = "entry.json"  # names and sizes of the files: a truncated entry is known by it
LOCK = ".lock"
ANOTHER = "name a directory that can be written, in the variable CUDASMITH_CACHE"
SCRATCH = ".scratch-"
SAME = "waiting for another process that builds the same"
LOOK_S = 0.05
FULL_BYTES = (
    64 << 10
)  # a disk with less room counts as full: compilers may only read what another could not write
SILENT_BYTES = (
    64 << 20
)  # and after a failure without a word, whose log may have had no room: it is gone with what it wrote
_NO_ROOM = re.compile("No space left on device|Disk quota exceeded")


class StoreError(CudasmithError):
    """The store cannot be written: no room, no permission."""


@attrs.frozen
class Entry:
    """A published directory. `fresh`: this call built it."""

    path: Path
    fresh: bool = False


def digest(*parts: str) -> str:
    """A short content hash of the parts."""
    joined = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:20]


def published(
    kind: str, key: str, build: Callable[[Path], None], say: Callable[[str], None] = lambda text: None
) -> Entry:
    """The directory of `key`, built once by `build` in a scratch directory and renamed into place.

    A second process waits for the first and takes its result; `say` is told so at every look, and what it raises ends
    the waiting. A failed build leaves nothing; a killed one leaves a
    scratch directory that a later call removes. An entry whose files are missing or truncated is built again.

    Raises: StoreError when the store cannot be written, and whatever `build` raises.
    """
    for _ in range(3):  # the store may be deleted under our feet, between any two steps
        with contextlib.suppress(FileNotFoundError):
            return _published(root() / kind / key, build, say)
    try:
        return _published(root() / kind / key, build, say)
    except FileNotFoundError:
        if (root() / kind).is_dir():
            raise  # the build's own
        raise unusable(root(), "it cannot be made") from None


def unusable(place: Path, reason: str, help: str = ANOTHER) -> StoreError:
    """The error for a store that cannot be used."""
    return StoreError(
        "CSB010", f"the cache cannot be used: {reason}", where=str(place), help=help, exit_code=4
    )


def _published(final: Path, build: Callable[[Path], None], say: Callable[[str], None]) -> Entry:
    if _intact(final):
        _mark_used(final)
        return Entry(final)
    with _store_errors(final.parent), contextlib.ExitStack() as stack:
        final.parent.mkdir(parents=True, exist_ok=True)
        stack.enter_context(lock_file(final.with_name(final.name + LOCK), lambda: say(SAME)))
        if _intact(final):
            return Entry(final)
        shutil.rmtree(final, ignore_errors=True)
        _build_into(final, build)
    return Entry(final, fresh=True)


def _build_into(final: Path, build: Callable[[Path], None]) -> None:
    from cudasmith.store.keep import remove_abandoned, trim

    remove_abandoned(final.parent)
    with _store_errors(final.parent):
        scratch = Path(tempfile.mkdtemp(prefix=f"{final.name}{SCRATCH}", dir=final.parent))
    try:
        with held(scratch), _store_errors(final.parent):
            build(scratch)
            _seal(scratch)
            scratch.rename(final)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    trim(keep=final)


def refuse_full_disk(place: Path, log: str) -> None:
    """After a command that failed: where there was no room to write, its words prove nothing of what it read.

    Raises: OSError, which becomes the store's own error when it is raised in a build.
    """
    if _NO_ROOM.search(log) or _free_bytes(place) < (FULL_BYTES if log.strip() else SILENT_BYTES):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))


def refuse_deleted(scratch: Path, log: str) -> None:
    """After a command that failed in a build: where the store was deleted under it, its words prove nothing of what it read.

    Raises: FileNotFoundError, after which `published` builds again.
    """
    lost = rf"{re.escape(scratch.name)}[^\n]*: No such file or directory"
    if not scratch.is_dir() or re.search(lost, log):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(scratch))


def _free_bytes(place: Path) -> int:
    """0 too where no file can be made any more."""
    try:
        disk = os.statvfs(place)
    except OSError:
        return SILENT_BYTES  # nothing is known
    return 0 if disk.f_files and not disk.f_favail else disk.f_bavail * disk.f_frsize


@contextlib.contextmanager
def held(scratch: Path) -> Iterator[None]:
    """While inside, others see by the lock that the scratch directory's owner lives."""
    handle = os.open(scratch, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _seal(directory: Path) -> None:
    """Write the manifest last and push everything to the disk, so that a crash cannot leave a short file behind it."""
    sizes = {}
    for file in sorted(p for p in directory.rglob("*") if p.is_file()):
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
        sizes[str(file.relative_to(directory))] = file.stat().st_size
    (directory / MANIFEST).write_text(json.dumps(sizes))


def _intact(entry: Path) -> bool:
    try:
        sizes = json.loads((entry / MANIFEST).read_text())
        return all((entry / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _mark_used(entry: Path) -> None:
    manifest = entry / MANIFEST
    with contextlib.suppress(OSError):  # a read-only store is used without its times of use
        os.utime(manifest)


@contextlib.contextmanager
def lock_file(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """The lock of a file, which is made. It ends with its process, however that ends; `waiting` is called at each look.

    A file that was removed before we had its lock guards nothing: then it is made again.
    """
    while True:
        with path.open("w") as handle:
            _wait_for(handle.fileno(), waiting)
            if is_at(handle.fileno(), path):
                yield
                return


def _wait_for(handle: int, waiting: Callable[[], None]) -> None:
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        waiting()
        time.sleep(LOOK_S)


def is_at(handle: int, path: Path) -> bool:
    """The open file is the one that lies at `path` now."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _store_errors(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            help = "free some space, or run `cudasmith cache clear`"
            raise unusable(place, "the disk is full", help) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise unusable(place, "it cannot be written") from error
        raise
