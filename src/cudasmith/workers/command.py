"""A command (a compiler) as a child: limits on time and memory, and nothing of it survives us."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

import attrs

from cudasmith.workers.process import tree_bytes

POLL_S = 0.05
MAX_OUTPUT_BYTES = 4 << 20

# Reads "+ GROUP" and "- GROUP" and, when its input ends because we are gone however we went, kills the groups left.
_WATCHDOG = """
left=" "
while read -r sign group; do
  case "$sign" in
    +) left="$left$group " ;;
    -) case "$left" in *" $group "*) left="${left%%" $group "*} ${left#*" $group "}" ;; esac ;;
  esac
done
for group in $left; do kill -s KILL -- "-$group"; done
"""
# (`kill -9 -- -N` is no command to dash.)
# A command enters itself before it runs, through the watchdog's input as its own: had we to do it, a kill just after the
# start would leave the command behind.
_ENTERED = 'echo "+ $$" >&0; exec "$@" </dev/null'


@attrs.frozen
class CommandResult:
    """How a command ended. `returncode` is None when a limit ended it; `ending` says in words what did."""

    returncode: int | None
    output: str
    seconds: float
    ending: str = ""

    @property
    def memory(self) -> bool:
        """The limit on memory ended it, not that on time."""
        return self.returncode is None and "memory" in self.ending


def run_command(
    command: list[str],
    *,
    timeout_s: float,
    memory_bytes: int,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
) -> CommandResult:
    """Run a command with output and errors together, in English; its whole process group ends with it.

    The group is killed when a limit is reached, when this call is interrupted, and when this process dies.
    Units: wall-clock seconds; resident bytes of the process tree.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _ENTERED, "sh", *command],
            stdin=_watchdog.input(),
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env={**os.environ, **(env or {}), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        try:
            with _watched(process.pid):
                ending = _wait(process, start + timeout_s, memory_bytes, timeout_s)
        finally:
            _end(process)
        out.seek(0)
        text = out.read(MAX_OUTPUT_BYTES).decode(errors="replace")
    code = None if ending else process.returncode
    return CommandResult(code, text, time.monotonic() - start, ending)


def _wait(process: subprocess.Popen[bytes], end: float, memory_bytes: int, timeout_s: float) -> str:
    pause = 0.002
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(pause)
            return ""
        pause = min(2 * pause, POLL_S)
        if time.monotonic() > end:
            return f"not done after {timeout_s:g} s"
        if pause >= POLL_S and tree_bytes(process.pid) > memory_bytes:
            return f"ended for using more than {memory_bytes / (1 << 30):.1f} GB of memory"


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class _Watchdog:
    """The shell that outlives us, one per process, started with the first command."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shell: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def input(self) -> IO[bytes]:
        with self._lock:
            if self._shell is None or self._owner != os.getpid() or self._shell.poll() is not None:
                self._shell, self._owner = self._start(), os.getpid()
            assert self._shell.stdin is not None
            return self._shell.stdin

    def forget(self, group: int) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self.input().fileno(), f"- {group}\n".encode())  # whole: shorter than a pipe's buffer

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["/bin/sh", "-c", _WATCHDOG],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


_watchdog = _Watchdog()
_running: set[int] = set()  # groups of commands of any thread


@contextlib.contextmanager
def ended_when_interrupted() -> Iterator[None]:
    """Around commands in other threads: when this thread is interrupted, all running commands are killed, so that
    nobody waits for them. Inside the pool's own `with`, which waits for its threads.
    """
    try:
        yield
    except Exception:
        raise
    except BaseException:
        end_commands()
        raise


def end_commands() -> None:
    """Kill what every thread of this process runs; their `run_command` returns. One that is just about to start is missed."""
    for group in list(_running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


@contextlib.contextmanager
def _watched(group: int) -> Iterator[None]:
    _running.add(group)
    try:
        yield
    finally:
        _running.discard(group)
        _watchdog.forget(group)
