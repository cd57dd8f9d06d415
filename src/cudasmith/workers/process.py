"""Processes: what a tree of them holds in memory, and how to end all of it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import Protocol

import psutil

MARK = "CUDASMITH_WORKER"  # in the environment of a worker and of all it starts
STACK_WAIT_S = 0.5  # how long to wait for faulthandler to write the stack before the kill


def tree_bytes(pid: int) -> int:
    """Resident bytes of a process and its descendants; 0 when it is gone."""
    total = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                total += int(process.memory_info().rss)
    return total


class Killable(Protocol):
    """What is needed of subprocess.Popen here."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self) -> int: ...


def ask_for_stack(process: Killable) -> None:
    """Have the child write its Python stack to the channel. It answers from a C signal handler, so a
    loop in native code does not stop it."""
    if hasattr(signal, "SIGUSR1") and process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGUSR1)


def end_tree(process: Killable, mark: str) -> None:
    """Kill the worker's process group and whatever left the group, then reap the worker.

    A grandchild that made itself a daemon is found by the mark in its environment (Linux and macOS).
    """
    stray = _descendants(process.pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for other in [*stray, *_marked(mark)]:
        with contextlib.suppress(psutil.Error):
            other.kill()
    process.wait()


def end_workers() -> None:
    """Kill every worker of this process; whoever waits for one sees that it died, and ends what it started."""
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if MARK in child.environ():
                child.kill()


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return []


def _marked(mark: str) -> list[psutil.Process]:
    """Processes of this user that carry our mark. Reading another user's environment fails: skipped."""
    if not sys.platform.startswith(("linux", "darwin")):
        return []
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark and process.pid != os.getpid():
                found.append(process)
    return found


def deadline(seconds: float) -> float:
    """The monotonic time `seconds` from now."""
    return time.monotonic() + seconds
