"""A child process cannot hurt its parent, whatever it does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from cudasmith.workers import WorkerResult, WorkerStatus, run_worker, warm

HERE = str(Path(__file__).parent)
GB = 1 << 30


@pytest.fixture(params=["cold", "warm"], autouse=True, scope="module")
def how(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every test with workers started anew, and with workers forked from a server that knows the entries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warm, "_server", warm._Server())
        path = os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])
        if request.param == "warm":
            patch.setenv("PYTHONPATH", path)
        else:
            patch.setitem(EXTRA, "PYTHONPATH", path)
        yield request.param


EXTRA: dict[str, str] = {}


def run(
    name: str, request: Any = None, timeout_s: float = 30, memory_bytes: int = GB, **more: Any
) -> WorkerResult:
    return run_worker(
        f"entries:{name}",
        {} if request is None else request,
        timeout_s=timeout_s,
        memory_bytes=memory_bytes,
        env=EXTRA,
        **more,
    )


def is_gone(pid: int) -> bool:
    """True once the process has ended, at the latest after 5 s."""
    try:
        psutil.Process(pid).wait(5)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def test_result_events_and_prints_come_back() -> None:
    seen: list[dict[str, Any]] = []
    result = run("echo", {"number": 1.5, "text": "é\n"}, on_event=seen.append)
    assert result.status is WorkerStatus.OK
    assert result.value == {"number": 1.5, "text": "é\n"}
    assert seen == [{"phase": "one"}, {"phase": "two"}] == list(result.events)
    assert result.last_event == {"phase": "two"}
    assert (result.stdout, result.stderr) == ("to stdout\n", "to stderr\n")


def test_a_big_request_of_bytes_arrives_whole() -> None:
    assert run("echo", b"\xff" * (20 << 20)).value == 20 << 20


def test_an_exception_is_a_value_with_its_line() -> None:
    result = run("raise_value_error")
    assert result.status is WorkerStatus.ERROR and result.error is not None
    assert (result.error.type, result.error.message) == ("ValueError", "no such thing")
    assert result.error.frames[-1].function == "raise_value_error"
    assert result.error.frames[-1].text == 'raise ValueError("no such thing")'


def test_sys_exit_is_an_error_not_an_end() -> None:
    result = run("leave")
    assert result.error is not None and result.error.type == "SystemExit"


def test_an_exit_without_a_result_is_a_crash_with_its_code() -> None:
    result = run("vanish")
    assert (result.status, result.returncode, result.death) == (WorkerStatus.CRASHED, 7, "exit code 7")


def test_an_unknown_entry_is_an_error() -> None:
    result = run("nothing_here")
    assert result.error is not None and "nothing_here" in result.error.message


def test_a_segfault_names_the_line() -> None:
    result = run("segfault")
    assert (result.status, result.signal) == (WorkerStatus.CRASHED, signal.SIGSEGV)
    assert result.death == "segmentation fault"
    assert "segfault" in [frame.function for frame in result.stack]


def test_a_loop_times_out_and_says_where_it_was() -> None:
    result = run("loop", timeout_s=1)
    assert result.status is WorkerStatus.TIMEOUT
    assert result.stack[-1].function == "loop"
    assert result.seconds < 5
    assert result.last_event is not None and is_gone(result.last_event["pid"])


def test_memory_is_limited() -> None:
    result = run("allocate", memory_bytes=200 << 20)
    assert result.status is WorkerStatus.MEMORY
    assert 200 << 20 < result.peak_bytes < GB


def test_a_daemon_that_left_the_group_is_killed_too() -> None:
    result = run("loop_with_daemon", timeout_s=1.5)
    assert result.last_event is not None and is_gone(result.last_event["daemon"])


def test_a_child_left_behind_does_not_hold_us_and_is_killed() -> None:
    result = run("return_with_child_that_holds_the_pipes")
    assert result.status is WorkerStatus.OK and result.seconds < 10
    assert is_gone(result.value)


def test_endless_printing_is_cut_and_ended() -> None:
    result = run("print_without_end", timeout_s=1)
    assert result.status is WorkerStatus.TIMEOUT
    assert len(result.stdout) < (1 << 20) + 100
    assert result.seconds < 5


def test_of_long_output_the_start_and_the_end_are_kept() -> None:
    result = run("print_much")
    assert result.value == "done"
    assert result.stdout.startswith("line 0\n") and "bytes not kept" in result.stdout


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_parent_is_the_end_of_the_child(how: signal.Signals) -> None:
    code = (
        "import json, signal, sys; from cudasmith.workers import run_worker\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job is born ignoring it\n"
        "say = lambda event: print(json.dumps(event), flush=True)\n"
        "run_worker('entries:loop', {}, timeout_s=60, memory_bytes=1 << 30, on_event=say)"
    )
    path = {"PYTHONPATH": f"{HERE}:{Path(__file__).parents[2] / 'src'}", "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=path
    ) as parent:
        assert parent.stdout is not None
        child = json.loads(parent.stdout.readline())["pid"]
        started = time.monotonic()
        parent.send_signal(how)
        parent.wait(10)
    assert is_gone(child)
    assert time.monotonic() - started < 10
