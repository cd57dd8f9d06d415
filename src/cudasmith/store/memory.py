"""Memory and cores that this machine, or the container on it, has for us."""

from __future__ import annotations

import os
import re
from pathlib import Path

import psutil

# limit, use, and the file with the part of the use that is cache; of cgroup version 2 and 1
CGROUPS = tuple(
    (Path("/sys/fs/cgroup") / limit, Path("/sys/fs/cgroup") / use, Path("/sys/fs/cgroup") / parts)
    for limit, use, parts in (
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    )
)
_CACHE = re.compile(r"^(?:total_)?inactive_file (\d+)$", re.MULTILINE)


def total_bytes() -> int:
    """The machine's memory, or the container's limit."""
    limits = [_number(limit) for limit, _, _ in CGROUPS]
    return min([int(psutil.virtual_memory().total), *(limit for limit in limits if limit)])


def free_bytes() -> int:
    """What processes may still take without swapping."""
    free = int(psutil.virtual_memory().available)
    for limit, use, parts in CGROUPS:
        if _number(limit):
            free = min(
                free, _number(limit) - _number(use) + max(map(int, _CACHE.findall(_text(parts))), default=0)
            )
    return max(free, 0)


def cores() -> int:
    """The cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _number(path: Path) -> int:
    text = _text(path).strip()
    return int(text) if text.isdigit() else 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
