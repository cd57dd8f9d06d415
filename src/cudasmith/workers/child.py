"""The child's side: `python -m cudasmith.workers.child module:function channel_fd parent_pid kind`.

The request is on stdin. The channel carries JSON lines: {"entered": true} when the entry's module is imported,
{"event": ...} while working, then one {"result": ...} or {"error": ...}. Lines that are not JSON are a stack written by faulthandler.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import importlib
import json
import os
import signal
import sys
import traceback
from typing import Any

from cudasmith.model.errors import CudasmithError

PR_SET_PDEATHSIG = 1


def main(argv: list[str]) -> None:
    """Run one entry function in this process, started for it."""
    forget_working_directory()
    work(argv[0], int(argv[1]), int(argv[2]), argv[3])


def work(entry: str, channel: int, parent: int, kind: str) -> None:
    """Run one entry function and report. Leaves with os._exit: no atexit hook or thread can hold it up."""
    _die_with_parent(parent)
    os.set_inheritable(channel, False)
    faulthandler.enable(file=channel, all_threads=False)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, file=channel, all_threads=False)
    data = sys.stdin.buffer.read()
    _close_stdin()
    try:
        module, _, name = entry.partition(":")
        function = getattr(importlib.import_module(module), name)
        _send(channel, {"entered": True})
        value = function(
            json.loads(data) if kind == "json" else data, lambda event: _send(channel, {"event": event})
        )
        text = json.dumps({"result": value})
    except BaseException as error:  # noqa: BLE001 - SystemExit of user code too: a result like any other
        text = json.dumps({"error": describe(error)})
    _write_all(channel, text.encode() + b"\n")
    with contextlib.suppress(OSError, ValueError):  # user code may have closed them
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


def describe(error: BaseException) -> dict[str, Any]:
    """Type, message and frames of an exception, and all of one that is for the user, as JSON data."""
    frames = [
        {"file": f.filename, "line": f.lineno or 0, "function": f.name, "text": f.line or ""}
        for f in traceback.extract_tb(error.__traceback__)
    ]
    words = ("code", "message", "where", "help", "exit_code")
    told = {w: getattr(error, w) for w in words} if isinstance(error, CudasmithError) else None
    return {"type": type(error).__name__, "message": _message(error), "frames": frames, "told": told}


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as inner:  # noqa: BLE001 - __str__ is user code; its failure is reported
        return f"<message unavailable: {type(inner).__name__}>"


def _send(channel: int, message: dict[str, Any]) -> None:
    _write_all(channel, json.dumps(message).encode() + b"\n")


def _write_all(channel: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(channel, view) :]


def _die_with_parent(parent: int) -> None:
    """Ask the kernel for SIGKILL when the parent dies. Linux only; elsewhere the parent must clean up."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def forget_working_directory() -> None:
    """`-m` puts the working directory first on the path, where a user's `random.py` would shadow ours."""
    if not getattr(sys.flags, "safe_path", False) and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109
        del sys.path[0]


def _close_stdin() -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


if __name__ == "__main__":
    main(sys.argv[1:])
