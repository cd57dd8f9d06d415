"""A directory of build results that several processes share."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs


def cache_dir() -> Path:
    """CUDASMITH_CACHE, or the user's cache directory."""
    chosen = os.environ.get("CUDASMITH_CACHE")
    path = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("cudasmith"))
    return path / "emulator"


def digest(*parts: str) -> str:
    """A short content hash of the parts."""
    joined = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:20]


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def published(name: str, build: Callable[[Path], None]) -> Path:
    """The directory `name` of the cache, built once by `build` in a scratch directory and renamed into place.

    A second process waits for the first. A failed build leaves nothing behind.
    """
    final = cache_dir() / name
    if final.is_dir():
        return final
    with _locked(final.with_name(final.name + ".lock")):
        if final.is_dir():
            return final
        scratch = Path(tempfile.mkdtemp(prefix=final.name + ".", dir=final.parent))
        try:
            build(scratch)
            scratch.rename(final)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    return final
