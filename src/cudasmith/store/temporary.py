"""Folders for one run, among the temporary files; those of runs that were killed are removed by a later run."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cudasmith.store.entry import is_at

PREFIX, SUFFIX = "cudasmith-", ".locked"  # a folder without a lock of its own is somebody else's


@contextlib.contextmanager
def temporary_folder(what: str) -> Iterator[Path]:
    """A new folder that goes with the block. Its owner holds its lock, which ends with the process, however that ends."""
    while True:
        with tempfile.TemporaryDirectory(
            prefix=f"{PREFIX}{what}-", suffix=SUFFIX, ignore_cleanup_errors=True
        ) as name:
            handle = os.open(name, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not is_at(handle, Path(name)):
                    continue  # removed as abandoned before we had its lock
                yield Path(name)
                return
            finally:
                os.close(handle)


def remove_abandoned_folders() -> None:
    """Remove this user's folders whose owner is gone: nobody holds their lock. What cannot be removed stays."""
    with contextlib.suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*{SUFFIX}"):
            with contextlib.suppress(OSError):
                _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid == os.getuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
