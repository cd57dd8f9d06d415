"""A function in a forked child: what it returns comes back, or how the child ended."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from typing import IO, NoReturn

import attrs

_GRACE_S = 1.0  # after the limit, for the stack to be written


@attrs.frozen
class Ended:
    """`data`: what the function returned; None where the child ended before. `returncode`: negative for a signal.
    `stack`: Python's, innermost call first, of a crash or at the time limit."""

    data: bytes | None
    returncode: int
    timed_out: bool
    stack: str


def in_fork(work: Callable[[], bytes], timeout_s: float) -> Ended:
    """Run `work` in a copy of this process, for `timeout_s` seconds at most. Nothing of it is left running."""
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as stack:
        child = os.fork()
        if child == 0:
            _child(work, timeout_s, result, stack)
        try:
            status = _wait(child, timeout_s + _GRACE_S)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)  # also what the child has started
        timed_out = status is None
        if status is None:
            _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        result.seek(0)
        stack.seek(0)
        data = result.read() if code == 0 and not timed_out else b""
        return Ended(data or None, code, timed_out, stack.read().decode(errors="replace").strip())


def _child(work: Callable[[], bytes], timeout_s: float, result: IO[bytes], stack: IO[bytes]) -> NoReturn:
    code = 1
    try:
        os.setpgid(0, 0)
        faulthandler.enable(stack, all_threads=False)
        faulthandler.dump_traceback_later(timeout_s, file=stack)
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)  # the threads of the parent's pool are not here
        result.write(work())
        result.flush()
        code = 0
    finally:
        os._exit(code)


def _wait(child: int, limit_s: float) -> int | None:
    """The child's status, or None when it still runs after `limit_s` seconds."""
    end, pause = time.monotonic() + limit_s, 0.001
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            return None
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
