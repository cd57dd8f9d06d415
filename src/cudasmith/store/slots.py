"""Slots: how many builds run at once on this machine, all processes together, bounded by its memory and cores.

Each build that wants to run keeps a numbered file in the cache, locked as long as it lives: a process that dies, however,
gives its place back. The first in the line that still waits starts when its memory is there; nobody overtakes, so that
nobody starves. The gate's lock is held for a look at the files only, never while waiting.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import attrs

from cudasmith.store import memory
from cudasmith.store.entry import LOCK, is_at, lock_file
from cudasmith.store.place import number_in, root

GATE = f"gate{LOCK}"
HELD = "CUDASMITH_SLOT_HELD"
LOOK_S = 0.1
STALLED_S = 600.0  # nothing began or ended for so long: those before us are stopped, or their machine is gone
SPARE_BYTES = 256 << 20  # stays free for everything else
Say = Callable[[str], None]


@attrs.frozen
class _Line:
    """Who is there, as one look finds it."""

    first: bool  # nobody who waits came before us
    running: tuple[int, ...]  # what each running build takes, in bytes
    state: tuple[str, ...]  # changes when a build begins or ends


@contextlib.contextmanager
def slot(cost_bytes: int, say: Say = lambda text: None) -> Iterator[None]:
    """Inside, one build of about `cost_bytes` runs. One build always may; others wait for memory, or for a core.

    `say` is told at every look what is waited for; what it raises ends the waiting. A cache that cannot be written
    bounds nothing. Nothing else must be waited for inside: the innermost of all locks. A worker of a build that has its
    slot already (see `held_by_parent`) takes no other.
    """
    with contextlib.ExitStack() as stack:
        if os.environ.get(HELD):
            yield
            return
        with contextlib.suppress(OSError):
            stack.enter_context(_waited(cost_bytes, say))
        yield


def held_by_parent() -> dict[str, str]:
    """Environment for a worker whose parent holds the slot for it."""
    return {HELD: "1"}


def most_at_once() -> int:
    """MAX_JOBS, as for torch's own builds, else the number of cores."""
    chosen = number_in("MAX_JOBS")
    return memory.cores() if chosen is None else max(1, chosen)


def _place() -> Path:
    """Of this machine: others may share the cache's disk, but not the memory."""
    node = re.sub(r"[^\w.-]", "_", platform.node())
    return root() / f"slots-{node}"


@contextlib.contextmanager
def _waited(cost_bytes: int, say: Say) -> Iterator[None]:
    mine: IO[str] | None = None
    try:
        since = time.monotonic()
        seen: tuple[str, ...] = ()
        while True:
            with _gate() as place:
                mine = _enlisted(place, mine)
                line = _look(place, Path(mine.name))
                if line.state != seen:
                    seen, since = line.state, time.monotonic()
                lacks = _lacking(line, cost_bytes)
                if not lacks or time.monotonic() - since > STALLED_S:
                    _write(mine, f"{cost_bytes}")
                    break
            say(lacks)
            time.sleep(LOOK_S)
        yield
    finally:
        if mine is not None:
            _left(mine)


@contextlib.contextmanager
def _gate() -> Iterator[Path]:
    place = _place()
    place.mkdir(parents=True, exist_ok=True)
    with lock_file(place / GATE):
        yield place


def _enlisted(place: Path, mine: IO[str] | None) -> IO[str]:
    """Our file at the end of the line; again where the cache was deleted meanwhile."""
    if mine is not None:
        if is_at(mine.fileno(), Path(mine.name)):
            return mine
        mine.close()
    last = max((int(file.stem) for file in _files(place)), default=0)
    mine = (place / f"{last + 1:09}{LOCK}").open("w")
    fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return mine


def _left(mine: IO[str]) -> None:
    with contextlib.suppress(OSError):
        if is_at(mine.fileno(), Path(mine.name)):  # not another's, in a cache that was made anew
            Path(mine.name).unlink()
    with contextlib.suppress(OSError):  # a full disk is told by whoever needs it
        mine.close()


def _look(place: Path, mine: Path) -> _Line:
    """Removes what dead processes left. A file that says nothing belongs to one that waits."""
    waits_before, running, state = False, [], []
    for file in _files(place):
        text = None if file == mine else _told_by_owner(file)
        if text:
            running.append(int(text))
            state.append(file.name)
        elif text is not None:
            waits_before |= file.name < mine.name
    return _Line(not waits_before, tuple(running), tuple(state))


def _lacking(line: _Line, cost_bytes: int) -> str:
    """What a build of that cost waits for, or empty. Running builds count in full, although they may hold some of it
    already: that errs on the safe side, as they have yet to reach their peak."""
    count = len(line.running)
    others = f"{count} other build{'s run' if count != 1 else ' runs'}"
    if count >= most_at_once():
        return f"waiting for a core: {others}"
    if count and memory.free_bytes() - sum(line.running) - SPARE_BYTES < cost_bytes:
        return f"waiting for memory: {others}"
    return "" if line.first else "waiting for builds that came before"


def _told_by_owner(file: Path) -> str | None:
    """What the file says while its owner lives. Else it is removed, if the owner has not done so at its end."""
    with contextlib.suppress(FileNotFoundError), file.open() as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return handle.read()
        file.unlink()
    return None


def _files(place: Path) -> list[Path]:
    return sorted(file for file in place.glob(f"*{LOCK}") if file.stem.isdigit())


def _write(handle: IO[str], text: str) -> None:
    handle.write(text)
    handle.flush()
