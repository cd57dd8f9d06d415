"""Workers forked from a server that has torch loaded are as workers started anew."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from cudasmith.workers import WorkerStatus, run_worker, warm

HERE = str(Path(__file__).parent)
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux workers are forked")
pytestmark = linux


@pytest.fixture(scope="module")
def server() -> Iterator[warm._Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warm, "_server", warm._Server())
        patch.setenv("PYTHONPATH", os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")]))
        yield warm._server


def facts(**more: Any) -> dict[str, Any]:
    result = run_worker("entries:facts", {}, timeout_s=60, memory_bytes=8 << 30, **more)
    assert result.status is WorkerStatus.OK, result.stderr
    value: dict[str, Any] = result.value
    return value


def test_a_worker_has_torch_and_no_cuda_and_its_own_environment(server: warm._Server, tmp_path: Path) -> None:
    facts()
    found = facts(env={"TMPDIR": str(tmp_path), "MINE": "1"}, cwd=tmp_path)
    assert server._process is not None and found["parent"] == server._process.pid
    assert found["torch"] and not found["cuda"] and not found["libcuda"]
    assert (found["cwd"], found["tmp"], found["mine"]) == (str(tmp_path), str(tmp_path), "1")
    assert facts()["mine"] is None
    assert facts()["random"] != facts()["random"]


def test_the_mark_that_finds_strays_is_the_workers_own(server: warm._Server) -> None:
    one, two = facts(), facts()
    assert one["mark"] == one["proc_mark"] != two["proc_mark"] == two["mark"]


def test_a_variable_that_only_a_new_process_reads_starts_one(server: warm._Server) -> None:
    facts()
    assert server._process is not None
    assert facts(env={"OMP_NUM_THREADS": "1"})["parent"] == os.getpid() != server._process.pid


def test_a_server_that_died_is_replaced(server: warm._Server) -> None:
    first = facts()["parent"]
    os.kill(first, 9)
    assert facts()["parent"] not in (first, os.getpid())


def test_a_server_killed_beside_its_worker_is_a_crash(server: warm._Server) -> None:
    def kill(event: dict[str, Any]) -> None:
        os.kill(psutil.Process(event["pid"]).ppid(), 9)

    start = time.monotonic()
    result = run_worker("entries:loop", {}, timeout_s=60, memory_bytes=8 << 30, on_event=kill)
    assert result.status is WorkerStatus.CRASHED and time.monotonic() - start < 30


def test_a_forked_copy_of_us_has_a_server_of_its_own(server: warm._Server) -> None:
    mine = facts()["parent"]
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, str(facts()["parent"]).encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    theirs = int(os.read(read, 100))
    assert theirs not in (0, mine, pid)


def test_the_server_ends_with_its_parent() -> None:
    code = (
        "import time; from cudasmith.workers import prepare_workers, warm; prepare_workers()\n"
        "print(warm._server._process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        server = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    assert server.wait(60) is not None or not server.is_running()
