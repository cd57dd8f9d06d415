"""Warm workers: forked from a server that has torch loaded, instead of started anew.

One server per process, started with the first worker or by `prepare`. Where it cannot serve (another system than Linux, an
environment whose difference only a new process sees, a server that died), the caller starts the worker cold.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO

from cudasmith.workers.process import MARK

START_S = 120.0  # for the imports, on a cold or busy disk
# Read when a library is loaded: a worker that wants other values than the server's is started cold.
_AT_LOAD = (
    "GOMP_",
    "KMP_",
    "LD_",
    "MALLOC_",
    "MKL_",
    "OMP_",
    "OPENBLAS_",
    "PYTHON",
    "PYTORCH_",
    "TORCH_LOGS",
)
_UNMARKED = "0" * 32


class WarmProcess:
    """A forked worker, with what its parent uses of subprocess.Popen. It is a child of the server, not ours."""

    def __init__(self, pid: int, status: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout: IO[bytes] = os.fdopen(stdout, "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(stderr, "rb", buffering=0)
        self._status = os.fdopen(status, "rb", buffering=0)

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Returns at once after the end. A server that died took its workers with it, by SIGKILL."""
        if self.returncode is None:
            line = self._status.readline()
            self.returncode = int(json.loads(line)["code"]) if line else -9
            self._status.close()
        return self.returncode


class _Server:
    """Our end of the server. `_owner`: a forked copy of us has no right to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._environment: dict[str, str] = {}

    def prepare(self, env: Mapping[str, str], modules: Sequence[str]) -> None:
        with self._lock:
            self._started(env, modules)

    def ask(self, header: bytes, base: Mapping[str, str], fds: list[int], status: int) -> int | None:
        """The pid of a new worker, or None. `fds` as the server wants them; `status`: our end of the last."""
        with self._lock:
            for _ in range(2):  # an idle server may end just now
                control = self._started(base)
                if control is None:
                    return None
                with contextlib.suppress(OSError, ValueError):
                    with tempfile.TemporaryFile() as file:
                        file.write(header)
                        file.seek(0)
                        socket.send_fds(control, [b"+"], [file.fileno(), *fds])
                    pid = self._pid(status)
                    if pid is not None:
                        return pid
                self._drop()
        return None

    def _pid(self, status: int) -> int | None:
        """What the server writes after the fork; None if it died."""
        assert self._process is not None
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if select.select([status], [], [], 0.05)[0]:
                return int(json.loads(_line(status))["pid"])
            if self._process.poll() is not None:
                return None
        return None

    def _started(self, env: Mapping[str, str], modules: Sequence[str] = ()) -> socket.socket | None:
        if not sys.platform.startswith("linux"):
            return None
        if self._owner != os.getpid():
            self._socket, self._process = None, None
        if self._process is None or self._process.poll() is not None:
            self._start(env, modules)
        return self._socket if at_load(env) == at_load(self._environment) else None

    def _start(self, env: Mapping[str, str], modules: Sequence[str]) -> None:
        if self._socket is not None:
            self._socket.close()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "cudasmith.workers.server",
                    str(theirs.fileno()),
                    ",".join(["torch", *modules]),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env={**env, MARK: _UNMARKED},
                start_new_session=True,
            )
        self._socket, self._owner, self._environment = ours, os.getpid(), dict(env)

    def _drop(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
        self._process = None


_server = _Server()


def prepare(env: Mapping[str, str], modules: Sequence[str]) -> None:
    """Start the server for workers with this environment, without waiting for it. It loads torch, then `modules`."""
    _server.prepare(env, modules)


def start_warm(
    entry: str,
    kind: str,
    stdin: int,
    channel: int,
    env: Mapping[str, str],
    base: Mapping[str, str],
    cwd: str,
) -> WarmProcess | None:
    """A worker as `python -m cudasmith.workers.child` would be, or None where the server cannot serve.

    `env` is the worker's environment, `base` the one for a server that has to be started.
    """
    if at_load(env) != at_load(base):
        return None
    ends: list[int] = []
    try:
        for _ in range(3):
            ends += os.pipe()
        out_r, out_w, err_r, err_w, status_r, status_w = ends
        header = json.dumps({"entry": entry, "kind": kind, "env": dict(env), "cwd": cwd}).encode()
        pid = _server.ask(header, base, [stdin, out_w, err_w, channel, status_w], status_r)
        if pid is None:
            return None
        process = WarmProcess(pid, status_r, out_r, err_r)
        ends = [out_w, err_w, status_w]
        return process
    finally:
        for fd in ends:
            os.close(fd)


def _line(fd: int) -> bytes:
    """One line, byte by byte: what follows it is for the process's own reader."""
    found = b""
    while not found.endswith(b"\n"):
        byte = os.read(fd, 1)
        if not byte:
            raise ValueError("closed")
        found += byte
    return found


def at_load(env: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in env.items() if k.startswith(_AT_LOAD)}
