"""Keeping the store small: least recently used entries go first, and what killed builds left."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs

from cudasmith.store.entry import LOCK, MANIFEST, SCRATCH, unusable
from cudasmith.store.place import limit_bytes, root
from cudasmith.store.temporary import remove_abandoned_folders


@attrs.frozen
class Usage:
    """What the store holds: `kinds` maps a kind to its number of entries and their bytes."""

    path: Path
    kinds: dict[str, tuple[int, int]]
    limit_bytes: int

    @property
    def entries(self) -> int:
        return sum(count for count, _ in self.kinds.values())

    @property
    def size_bytes(self) -> int:
        return sum(size for _, size in self.kinds.values())


def usage() -> Usage:
    """What the store holds now. An empty or missing store holds nothing.

    Raises: StoreError when its place is no directory, and where none can be made.
    """
    if reason := _unusable_since(root()):
        raise unusable(root(), reason)
    kinds: dict[str, tuple[int, int]] = {}
    for entry in _entries():
        count, size = kinds.get(entry.parent.name, (0, 0))
        kinds[entry.parent.name] = (count + 1, size + _bytes(entry))
    return Usage(root(), kinds, limit_bytes())


def _unusable_since(place: Path) -> str:
    """Why nothing can be kept there; empty for a directory, even one that can only be read, and where one can be made."""
    if place.is_dir():
        return ""
    near = next(p for p in (place, *place.parents) if p.exists())
    if not near.is_dir():
        return "it is no directory" if near == place else f"{near} is no directory"
    try:
        Path(tempfile.mkdtemp(prefix=".cudasmith-", dir=near)).rmdir()
    except OSError as error:
        return f"it is not there and cannot be made in {near}: {error.strerror}"
    return ""


def clear() -> Usage:
    """Remove every entry and what killed builds left; what a live build is writing stays. Returns what was there."""
    before = usage()
    for entry in _entries():
        _remove(entry)
    for kind in _kinds():
        remove_abandoned(kind)
        for lock in kind.glob(f"*{LOCK}"):
            _remove_lock(lock)
        with contextlib.suppress(OSError):
            kind.rmdir()
    remove_abandoned_folders()
    return before


def trim(keep: Path | None = None) -> None:
    """Remove the entries used longest ago until the store is within its limit. `keep` stays."""
    sized = [(_used(e), _bytes(e), e) for e in _entries()]
    total = sum(size for _, size, _ in sized)
    for _, size, entry in sorted(sized):
        if total <= limit_bytes():
            return
        if entry != keep:
            _remove(entry)
            total -= size


def remove_abandoned(kind: Path) -> None:
    """Remove scratch directories whose owner is gone: nobody holds their lock."""
    for scratch in kind.glob(f"*{SCRATCH}*"):
        with contextlib.suppress(OSError):
            handle = os.open(scratch, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(scratch, ignore_errors=True)
            finally:
                os.close(handle)


def _kinds() -> list[Path]:
    place = root()
    return sorted(p for p in place.iterdir() if p.is_dir()) if place.is_dir() else []


def _entries() -> Iterator[Path]:
    for kind in _kinds():
        with contextlib.suppress(OSError):
            yield from sorted(p for p in kind.iterdir() if (p / MANIFEST).is_file() and SCRATCH not in p.name)


def _bytes(entry: Path) -> int:
    total = 0
    for file in entry.rglob("*"):
        with contextlib.suppress(OSError):
            total += file.lstat().st_size
    return total


def _used(entry: Path) -> float:
    with contextlib.suppress(OSError):
        return (entry / MANIFEST).stat().st_mtime
    return 0.0


def _remove(entry: Path) -> None:
    """Out of sight at once, by a rename; then its files. A process that has loaded them keeps them."""
    gone = entry.with_name(f"{entry.name}{SCRATCH}gone-{os.getpid()}")
    with contextlib.suppress(OSError):
        entry.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _remove_lock(lock: Path) -> None:
    with contextlib.suppress(OSError), lock.open() as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.unlink()
