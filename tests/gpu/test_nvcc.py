"""nvcc without a GPU: device code compiles, resources are read, error lines are those of the file."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from cudasmith.gpu import ptxas, toolchain
from cudasmith.gpu.nvcc import compile_device
from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.model import BuildStatus, Candidate

DATA = Path(__file__).parents[1] / "data" / "gpu"
TEXT = (DATA / "relu_new.py").read_text()
needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")


@needs_nvcc
def test_exactly_the_launched_kernel_is_compiled_and_measured():
    build = compile_device(Candidate(TEXT, "relu_new.py"))
    assert build.status is BuildStatus.OK, build.log
    assert [k.kernel for k in build.kernels] == ["relu_thread_per_element<float>"]
    assert 0 < build.kernels[0].registers < 64
    assert build.kernels[0].spill_bytes == 0
    assert build.tool.startswith("nvcc ")


@needs_nvcc
def test_an_error_names_the_line_of_the_candidates_file():
    wrong = TEXT.replace("const T v = x[i];", "const T v = y[i];")
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "y[i]" in text)
    build = compile_device(Candidate(wrong, "relu_new.py"))
    assert build.status is BuildStatus.COMPILE_ERROR
    assert f'relu_new.py({line}): error: identifier "y" is undefined' in build.log


@needs_nvcc
def test_host_code_beyond_the_stub_is_not_judged():
    wide = TEXT.replace("torch::empty(sizes", "torch::fft_rfft(x); torch::empty(sizes")
    assert compile_device(Candidate(wide)).status is BuildStatus.NO_TOOLCHAIN


@needs_nvcc
def test_the_time_limit_is_kept():
    start = time.monotonic()
    build = compile_device(Candidate(TEXT), timeout_s=0.01)
    assert build.status is BuildStatus.TIMEOUT
    assert time.monotonic() - start < 30


def test_a_file_without_cuda_text_has_nothing_to_compile(monkeypatch):
    monkeypatch.setattr("cudasmith.gpu.nvcc.find_nvcc", lambda: toolchain.Toolchain("/cuda", "13.0.88"))
    build = compile_device(Candidate("x = 1\n"))
    assert build.status is BuildStatus.OK and build.kernels == ()


def test_without_nvcc_nothing_is_known(monkeypatch):
    monkeypatch.setattr("cudasmith.gpu.nvcc.find_nvcc", lambda: None)
    assert compile_device(Candidate(TEXT)).status is BuildStatus.NO_TOOLCHAIN


def test_spills_and_shared_memory_are_read_per_kernel():
    log = """\
ptxas info    : Compiling entry function 'one' for 'sm_90'
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 8192 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers
"""
    one, two = ptxas.resources(log)
    assert (one.registers, one.shared_bytes, one.spill_bytes, one.stack_bytes) == (255, 8192, 20, 16)
    assert (two.registers, two.shared_bytes, two.spill_bytes) == (10, 0, 0)


def test_the_toolkit_behind_a_shell_shim_is_found(tmp_path: Path, monkeypatch):
    root = tmp_path / "toolkit"
    for name, text in (
        ("bin/nvcc", f"#!/bin/sh\nprintf '#$ TOP={root}\\n' >&2\necho 'release 13.0, V13.0.88'\n"),
    ):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
        (root / name).chmod(0o755)
    (root / "include").mkdir()
    (root / "include" / "cuda_runtime.h").touch()
    shim = tmp_path / "shims" / "nvcc"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {root}/bin/nvcc "$@"\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{os.environ['PATH']}")
    found = find_nvcc()
    assert found is not None
    assert (found.root, found.version) == (str(root), "13.0.88")
