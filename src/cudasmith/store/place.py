"""Where the store lies and how large it may grow."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DEFAULT_LIMIT_BYTES = 10 << 30


def root() -> Path:
    """CUDASMITH_CACHE, or the user's cache directory."""
    chosen = os.environ.get("CUDASMITH_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("cudasmith"))


def limit_bytes() -> int:
    """CUDASMITH_CACHE_BYTES, or 10 GiB. A value that is no number counts as not set."""
    chosen = os.environ.get("CUDASMITH_CACHE_BYTES", "")
    return int(chosen) if chosen.isdigit() else DEFAULT_LIMIT_BYTES
