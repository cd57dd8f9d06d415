"""Where the store lies and how large it may grow."""

from __future__ import annotations

import os
import re
from pathlib import Path

import platformdirs

from cudasmith.model import CudasmithError

DEFAULT_LIMIT_BYTES = 10 << 30
NUMBERS = {
    "MAX_JOBS": "how many builds may run at once, for example MAX_JOBS=2",
    "CUDASMITH_CACHE_BYTES": "how many bytes the cache may hold, for example CUDASMITH_CACHE_BYTES=5000000000",
}
_NUMBER = re.compile(r"[0-9]{1,18}")


def root() -> Path:
    """CUDASMITH_CACHE, or the user's cache directory; absolute, since compilers run elsewhere.

    Raises: CudasmithError for a home directory that is nobody's, and for a name of blanks alone.
    """
    chosen = os.environ.get("CUDASMITH_CACHE")
    if not chosen:
        return Path(platformdirs.user_cache_dir("cudasmith"))
    if not chosen.strip():
        raise CudasmithError(
            "CSB011",
            "the cache cannot be used: its name is blanks",
            where=f"CUDASMITH_CACHE={chosen!r}",
            help="name a directory that can be written, or unset CUDASMITH_CACHE for the user's cache directory",
        )
    place = Path(os.path.expanduser(chosen))  # noqa: PTH111 - leaves what it does not know
    if chosen.startswith("~") and str(place).startswith("~"):
        raise CudasmithError(
            "CSB010",
            f"the cache cannot be used: nobody's home is {place.parts[0]}",
            where=f"CUDASMITH_CACHE={chosen}",
            help="write the path out; a directory of that name is ./~name",
            exit_code=4,
        )
    return place.absolute()


def limit_bytes() -> int:
    """CUDASMITH_CACHE_BYTES, or 10 GiB. A value that is no number counts as not set."""
    return DEFAULT_LIMIT_BYTES if (chosen := number_in("CUDASMITH_CACHE_BYTES")) is None else chosen


def number_in(variable: str) -> int | None:
    """The whole number in a variable of the environment; None where there is none."""
    chosen = os.environ.get(variable, "")
    return int(chosen) if _NUMBER.fullmatch(chosen) else None


def ignored_settings() -> list[str]:
    """What the environment sets that counts as not set, a sentence each."""
    return [
        f"{variable}={os.environ[variable]!r} is no whole number from 0 up, in digits alone, and counts as not set; give {what}"
        for variable, what in NUMBERS.items()
        if os.environ.get(variable) and number_in(variable) is None
    ]
