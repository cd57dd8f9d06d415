"""What the children of the tests run."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def echo(request: Any, emit: Any) -> Any:
    if isinstance(request, bytes):
        return len(request)
    emit({"phase": "one"})
    emit({"phase": "two"})
    print("to stdout")
    print("to stderr", file=sys.stderr)
    return request


def raise_value_error(request: Any, emit: Any) -> None:
    raise ValueError("no such thing")


def leave(request: Any, emit: Any) -> None:
    sys.exit(3)


def vanish(request: Any, emit: Any) -> None:
    os._exit(7)


def loop(request: Any, emit: Any) -> None:
    emit({"pid": os.getpid()})
    while True:
        pass


def loop_with_daemon(request: Any, emit: Any) -> None:
    """A grandchild in a session of its own, whose parent is gone: only its environment tells whose it is."""
    code = (
        "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=2).pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    emit({"pid": os.getpid(), "daemon": int(done.stdout)})
    while True:
        time.sleep(1)


def return_with_child_that_holds_the_pipes(request: Any, emit: Any) -> int:
    return subprocess.Popen(["sleep", "600"]).pid


def segfault(request: Any, emit: Any) -> None:
    ctypes.string_at(0)


def print_without_end(request: Any, emit: Any) -> None:
    while True:
        os.write(1, b"x" * (1 << 16))


def print_much(request: Any, emit: Any) -> str:
    print("\n".join(f"line {number}" for number in range(500_000)))
    return "done"


def allocate(request: Any, emit: Any) -> None:
    held = []
    while True:
        held.append(bytearray(8 << 20))


def facts(request: Any, emit: Any) -> dict[str, Any]:
    """What a worker sees of itself."""
    mark = "CUDASMITH_WORKER"
    block = dict(v.split("=", 1) for v in Path("/proc/self/environ").read_text().split("\0") if "=" in v)
    loaded = "torch" in sys.modules
    return {
        "parent": os.getppid(),
        "torch": loaded,
        "cuda": loaded and sys.modules["torch"].cuda.is_initialized(),
        "libcuda": "libcuda.so" in Path("/proc/self/maps").read_text(),
        "cwd": str(Path.cwd()),
        "tmp": tempfile.gettempdir(),
        "mine": os.environ.get("MINE"),
        "mark": os.environ[mark],
        "proc_mark": block[mark],
        "random": random.random(),
    }
