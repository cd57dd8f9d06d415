"""A signal that asks `port` to end: no process, no folder and no file is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

SCRIPT = """
import signal  # nohup and background jobs of a shell ignore some: not here
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from cudasmith.cli.main import main; main()
"""
ENDLESS = """\
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    return [torch.rand(4)]
import time
open("started", "w").close()
time.sleep(300)
"""
# A folder of ours and a process in it, as in the stages compile and verify.
IN_FOLDER = """\
import cudasmith.cli.port
from cudasmith.store import temporary_folder
from cudasmith.workers.command import run_command
def work(problem, options, progress):
    with temporary_folder("build") as folder:
        run_command(["sh", "-c", "touch ../started; sleep 300"], timeout_s=300, memory_bytes=1 << 30, cwd=folder)
import cudasmith.pipeline
cudasmith.pipeline.port_problem = work
"""
# nvcc beside the verdict, in a thread that the signal does not reach.
BESIDE = """\
import time, cudasmith.cli.port, cudasmith.pipeline as pipeline
from cudasmith.model import Candidate
from cudasmith.workers.command import run_command
def work(problem, options, progress):
    start = ["sh", "-c", "touch started; sleep 300"]
    pipeline._compile = lambda *args: run_command(start, timeout_s=300, memory_bytes=1 << 30)
    pipeline._verify = lambda *args: time.sleep(300)
    options = pipeline.Options(executor="emulator")
    pipeline._prove(problem, None, None, Candidate("x = 1"), options, pipeline._Clock(progress))
pipeline.port_problem = work
"""


def start(folder: Path, before: str = "") -> subprocess.Popen[str]:
    (folder / "model.py").write_text(ENDLESS)
    return subprocess.Popen(
        [sys.executable, "-c", before + SCRIPT, "port", "model.py", "-o", "new.py", "--executor", "none"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path: Path) -> None:
    end = time.monotonic() + 60
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert path.exists()


@pytest.mark.parametrize(
    ("number", "before"),
    [
        (signal.SIGTERM, ""),
        (signal.SIGTERM, IN_FOLDER),
        (signal.SIGTERM, BESIDE),
        (signal.SIGHUP, IN_FOLDER),
        (signal.SIGINT, IN_FOLDER),
    ],
)
def test_a_signal_leaves_nothing_behind(tmp_path: Path, number: signal.Signals, before: str) -> None:
    process = start(tmp_path, before)
    wait_for(tmp_path / "started")
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    last = err.strip().splitlines()[-1]
    assert last == f"cudasmith: stopped by {number.name}; no half-written file is left"
    assert "Traceback" not in err
    assert not psutil.wait_procs(children, timeout=5)[1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.py", "started"]
