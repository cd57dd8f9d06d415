"""The warm server's side: `python -m cudasmith.workers.server socket_fd module,...`.

It imports torch and our entry modules once, and forks a worker per request: a fork has in milliseconds what an import
takes seconds for. It does nothing else; above all it never touches CUDA, which no fork survives. It ends when its
parent is gone, or after IDLE_S without work.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
from typing import Any

from cudasmith.workers import child
from cudasmith.workers.process import MARK

IDLE_S = 300.0
OURS = "cudasmith."
FDS = 6  # of a request: header, stdin, stdout, stderr, channel, status
Running = dict[int, int]  # worker's pid: descriptor to tell its end on


def main(argv: list[str]) -> None:
    """Serve until the parent's end of the socket is closed."""
    child.forget_working_directory()
    control = socket.socket(fileno=int(argv[0]))
    os.set_inheritable(control.fileno(), False)
    for name in argv[1].split(","):
        _import(name)
    gc.collect()
    gc.freeze()  # a collection in a worker would copy every page
    serve(control)
    os._exit(0)


def _import(name: str) -> None:
    with contextlib.suppress(Exception):  # the worker imports it again, and its error is told there
        importlib.import_module(name)


def serve(control: socket.socket) -> None:
    """Fork a worker per request, tell how each ended."""
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: Running = {}
    while True:
        sources: list[Any] = [control, wake]
        ready = select.select(sources, [], [], None if running else IDLE_S)[0]
        if wake in ready:
            os.read(wake, 4096)
            _reap(running)
        if control in ready:
            data, fds, _, _ = socket.recv_fds(control, 1, FDS)
            if not data:
                break
            _fork(control, fds, (wake, waker), running)
        if not ready and not running:
            break
    for pid in running:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _fork(control: socket.socket, fds: list[int], own: tuple[int, int], running: Running) -> None:
    header, *given, status = fds
    with os.fdopen(header, "rb") as file:
        asked = json.load(file)
    module = asked["entry"].partition(":")[0]
    if module.startswith(OURS):
        _import(module)  # here, for all workers to come
    server = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for fd in (control.fileno(), *own, status, *running.values()):
                os.close(fd)
            _work(asked, given, server)
        finally:
            os._exit(1)
    for fd in given:
        os.close(fd)
    running[pid] = status
    _tell(status, {"pid": pid})


def _work(asked: dict[str, Any], fds: list[int], server: int) -> None:
    """Become the worker that is asked for, as if started by its own command."""
    *standard, channel = fds
    os.setsid()
    for number, fd in enumerate(standard):
        os.dup2(fd, number)
        os.close(fd)
    _set_mark(asked["env"][MARK])
    os.environ.clear()
    os.environ.update(asked["env"])
    tempfile.tempdir = None  # TMPDIR may be another
    os.chdir(asked["cwd"])
    child.work(asked["entry"], channel, server, asked["kind"])


def _set_mark(mark: str) -> None:
    """Write the mark over the server's own in the memory that /proc/PID/environ shows: who looks for strays of a
    worker reads it there, and what setenv stores is elsewhere. Both have the same length."""
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    address = getenv(MARK.encode())
    if address and len(os.environ[MARK]) == len(mark):
        ctypes.memmove(address, mark.encode(), len(mark))


def _reap(running: Running) -> None:
    for pid in list(running):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            fd = running.pop(pid)
            _tell(fd, {"code": os.waitstatus_to_exitcode(status)})
            os.close(fd)


def _tell(fd: int, message: dict[str, int]) -> None:
    with contextlib.suppress(OSError):  # the parent may have gone
        os.write(fd, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
