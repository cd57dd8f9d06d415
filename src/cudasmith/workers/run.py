"""The parent's side: start one child, watch its time and memory, return what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cudasmith
from cudasmith.model.errors import CudasmithError
from cudasmith.workers.process import MARK, STACK_WAIT_S, ask_for_stack, deadline, end_tree, tree_bytes
from cudasmith.workers.result import Frame, WorkerError, WorkerResult, WorkerStatus
from cudasmith.workers.streams import Bounded, Channel, Pipes
from cudasmith.workers.warm import WarmProcess, prepare, start_warm

Process = subprocess.Popen[bytes] | WarmProcess

POLL_S = 0.05  # how often memory is measured: an allocator fills about 0.1 GB in that time
STARTUP_S = 120.0  # for Python, torch and the entry's module: minutes on a cold or busy disk
DRAIN_READS = 256  # chunks read after the end, so that a surviving writer cannot hold us


def run_worker(
    entry: str,
    request: bytes | dict[str, Any],
    *,
    timeout_s: float,
    memory_bytes: int,
    on_event: Callable[[dict[str, Any]], None] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
) -> WorkerResult:
    """Run `entry` ("module:function") in a child process; never hangs, leaves no process behind.

    The function is called as `function(request, emit)`: it returns JSON data and may call
    `emit({...})` to say what it is doing. The child has its own session; when the time or the memory
    is used up, or this call is interrupted, the child and all it started are killed. `env` is laid
    over this process's environment. Whatever the child does is a status, never an exception.

    Units: `timeout_s` wall-clock seconds from the entry function's first line, start-up has STARTUP_S of its own; `memory_bytes` resident bytes of the child's process tree.
    """
    mark = uuid.uuid4().hex
    channel, out, err = Channel(on_event), Bounded(), Bounded()
    started = time.monotonic()
    read_fd, write_fd = os.pipe()
    process, pipes = None, None
    try:
        process = _start(entry, request, write_fd, _environment(env, mark), cwd)
        assert process.stdout and process.stderr
        sinks = {read_fd: channel.add, process.stdout.fileno(): out.add, process.stderr.fileno(): err.add}
        pipes = Pipes(sinks)
        status, peak = _watch(process, channel, pipes, timeout_s, memory_bytes)
    finally:  # also on KeyboardInterrupt
        os.close(write_fd)
        if process:
            end_tree(process, mark)
        if pipes:
            _drain(pipes)
            pipes.close()
        os.close(read_fd)
        for stream in (process.stdout, process.stderr) if process else ():
            if stream:
                stream.close()
    return _result(status, process.wait(), channel, out, err, time.monotonic() - started, peak)


def _start(
    entry: str, request: bytes | dict[str, Any], write_fd: int, env: dict[str, str], cwd: str | Path | None
) -> Process:
    """Forked from the warm server where it can serve, else a new process."""
    kind = "bytes" if isinstance(request, bytes) else "json"
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    with tempfile.TemporaryFile() as stdin:  # a file, not a pipe: a big request cannot block either side
        stdin.write(data)
        stdin.seek(0)
        base = _environment(None, env[MARK])
        warm = start_warm(entry, kind, stdin.fileno(), write_fd, env, base, str(cwd or Path.cwd()))
        if warm is not None:
            return warm
        stdin.seek(0)
        return subprocess.Popen(
            [sys.executable, "-m", "cudasmith.workers.child", entry, str(write_fd), str(os.getpid()), kind],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(write_fd,),
            env=env,
            cwd=cwd,
            start_new_session=True,
        )


def prepare_workers(*entries: str) -> None:
    """Have torch and the entries' modules loaded beside what the caller does now, for its first worker to find."""
    prepare(_environment(None, ""), [entry.partition(":")[0] for entry in entries])


def _environment(extra: Mapping[str, str] | None, mark: str) -> dict[str, str]:
    env = {**os.environ, **(extra or {}), MARK: mark, "PYTHONUNBUFFERED": "1", "PYTHONSAFEPATH": "1"}
    root = Path(cudasmith.__file__).resolve().parent.parent
    if root.name not in ("site-packages", "dist-packages"):  # run from a checkout
        env["PYTHONPATH"] = os.pathsep.join(p for p in (str(root), env.get("PYTHONPATH", "")) if p)
    return env


def _watch(
    process: Process, channel: Channel, pipes: Pipes, timeout_s: float, memory_bytes: int
) -> tuple[WorkerStatus | None, int]:
    """Read until the child has answered, died or used up a limit (then the status says which)."""
    peak, next_look, entered, end = 0, 0.0, False, time.monotonic() + STARTUP_S
    while channel.final is None:
        now = time.monotonic()
        if channel.entered and not entered:
            entered, end = True, now + timeout_s
        if now >= next_look:
            peak, next_look = max(peak, tree_bytes(process.pid)), now + POLL_S
        if now >= end or peak > memory_bytes:
            _collect_stack(process, channel, pipes)
            return (WorkerStatus.TIMEOUT if now >= end else WorkerStatus.MEMORY), peak
        if process.poll() is not None:
            break
        if pipes.open:
            pipes.read(min(POLL_S, max(end - now, 0)))
        else:
            time.sleep(POLL_S)  # user code closed every stream: only its end is left to see
    return None, peak


def _collect_stack(process: Process, channel: Channel, pipes: Pipes) -> None:
    ask_for_stack(process)
    end = deadline(STACK_WAIT_S)
    more = True  # the frames come one by one, the user's own not first
    while time.monotonic() < end and process.poll() is None and pipes.open and (more or not channel.stack):
        more = pipes.read(STACK_WAIT_S / 10)


def _drain(pipes: Pipes) -> None:
    for _ in range(DRAIN_READS):
        if not pipes.open or not pipes.read(0):
            return


def _result(
    status: WorkerStatus | None,
    returncode: int,
    channel: Channel,
    out: Bounded,
    err: Bounded,
    seconds: float,
    peak: int,
) -> WorkerResult:
    final = channel.final or {}
    error = None
    if status is None:
        if "result" in final:
            status = WorkerStatus.OK
        elif "error" in final:
            status, error = WorkerStatus.ERROR, _error(final["error"])
        else:
            status = WorkerStatus.CRASHED
    return WorkerResult(
        status=status,
        value=final.get("result"),
        error=error,
        signal=-returncode if returncode < 0 and status is WorkerStatus.CRASHED else None,
        returncode=returncode,
        events=tuple(channel.events),
        stack=channel.stack,
        stdout=out.text(),
        stderr=err.text(),
        seconds=seconds,
        peak_bytes=peak,
        entered=channel.entered,
    )


def _error(data: dict[str, Any]) -> WorkerError:
    told = data.get("told")
    return WorkerError(
        data["type"],
        data["message"],
        tuple(Frame(**f) for f in data["frames"]),
        CudasmithError(**told) if told else None,
    )
