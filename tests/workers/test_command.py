"""Commands: limits hold, and nothing of a command survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from cudasmith.workers.command import ended_when_interrupted, run_command

GB = 1 << 30


def alive(marker: str) -> list[int]:
    return [p.pid for p in psutil.process_iter(["cmdline"]) if marker in " ".join(p.info["cmdline"] or [])]


def gone(marker: str) -> bool:
    end = time.monotonic() + 10
    while alive(marker):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_output_and_errors_come_back_together() -> None:
    done = run_command(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout_s=20, memory_bytes=GB)
    assert (done.returncode, done.output) == (3, "out\nerr\n")


def test_a_command_that_takes_too_long_is_ended_with_its_children() -> None:
    marker = "9871.25"
    done = run_command(["sh", "-c", f"sleep {marker} & sleep {marker}"], timeout_s=0.5, memory_bytes=GB)
    assert done.returncode is None and "not done after 0.5 s" in done.ending
    assert gone(f"sleep {marker}")


def test_a_command_that_takes_too_much_memory_is_ended() -> None:
    code = "x = bytearray(300_000_000); import time; time.sleep(60)"
    done = run_command([sys.executable, "-c", code], timeout_s=50, memory_bytes=100_000_000)
    assert done.returncode is None and "memory" in done.ending


def test_a_command_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    marker = "9872.25"
    code = (
        "from cudasmith.workers.command import run_command\n"
        f"run_command(['sh', '-c', 'sleep {marker} & sleep {marker}'], timeout_s=60, memory_bytes=1 << 30)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    end = time.monotonic() + 30
    while not alive(f"sleep {marker}") and time.monotonic() < end:
        time.sleep(0.05)
    assert alive(f"sleep {marker}")
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert gone(f"sleep {marker}")


def test_an_interrupt_ends_the_commands_of_other_threads() -> None:
    marker = "9873.25"
    start = time.monotonic()
    command = ["sleep", marker]
    with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as pool, ended_when_interrupted():
        pool.submit(run_command, command, timeout_s=60, memory_bytes=GB)
        while not alive(f"sleep {marker}") and time.monotonic() < start + 30:
            time.sleep(0.05)
        raise KeyboardInterrupt
    assert gone(f"sleep {marker}") and time.monotonic() < start + 40


def test_a_kill_just_after_the_start_leaves_nothing(tmp_path: Path) -> None:
    """The parent dies inside Popen's return, before it could say anything to anybody."""
    marker = "9874.25"
    code = (
        "import os, subprocess\n"
        "from cudasmith.workers import command\n"
        "start = subprocess.Popen\n"
        "def dies(words, **options):\n"
        "    process = start(words, **options)\n"
        "    if 'sleep' in words: os.kill(os.getpid(), 9)\n"
        "    return process\n"
        "subprocess.Popen = dies\n"
        f"command.run_command(['sleep', '{marker}'], timeout_s=60, memory_bytes=1 << 30)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    time.sleep(0.2)  # the command, if it started, is seen now
    assert gone(f"sleep {marker}")


def test_a_program_that_is_not_there_is_told_as_a_shell_does() -> None:
    done = run_command(["/nowhere/c++", "-c"], timeout_s=20, memory_bytes=GB)
    assert done.returncode == 127 and "/nowhere/c++" in done.output
