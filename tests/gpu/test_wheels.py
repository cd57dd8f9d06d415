"""nvcc from wheels: found with nothing on PATH, and its libraries link though they lack the plain name."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cudasmith.gpu import cudart, runner, toolchain
from cudasmith.gpu.device import Device
from cudasmith.gpu.toolchain import Toolchain, find_nvcc, wheel_roots
from machines import toolkit

SOURCE = """
#include <cuda_runtime.h>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
extern "C" int launch(float* x) { fill<<<1, 32>>>(x); return (int)cudaGetLastError(); }
"""
WHEEL = next((r for r in wheel_roots() if (r / "bin" / "nvcc").is_file()), None)
TOOLS = ("gcc", "g++", "c++", "as", "ld", "sh")


@pytest.fixture
def no_toolkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable, no nvcc on PATH, none at the default place; an empty cache."""
    for name in ("CUDA_HOME", "CUDA_PATH", "LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        if found:
            (tmp_path / "bin" / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(toolchain, "DEFAULT_ROOT", tmp_path / "no-default")


@pytest.fixture
def fake_wheels(tmp_path: Path, no_toolkit: None, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    toolkit(tmp_path / "site" / "nvidia" / "cu9", "9.0.1", lib="lib")
    return toolkit(tmp_path / "site" / "nvidia" / "cu13", lib="lib")


def test_the_newest_wheels_are_found(fake_wheels):
    assert find_nvcc() == fake_wheels


def test_wheels_of_libraries_alone_are_no_toolkit(fake_wheels):
    (Path(fake_wheels.root) / "bin" / "nvcc").unlink()
    found = find_nvcc()
    assert found is not None and found.root.endswith("cu9")


def test_the_plain_name_lies_in_the_cache_and_the_wheels_stay_as_they_are(fake_wheels, tmp_path):
    before = sorted(Path(fake_wheels.root).rglob("*"))
    lib, link = cudart.search_dirs(fake_wheels)
    assert lib == str(Path(fake_wheels.root) / "lib")
    assert Path(link).is_relative_to(tmp_path / "cache")
    assert (Path(link) / "libcudart.so").resolve() == (Path(lib) / "libcudart.so.13").resolve()
    assert sorted(Path(fake_wheels.root).rglob("*")) == before
    assert [p.name for p in Path(link).iterdir()] == ["libcudart.so"]


def test_a_link_to_another_version_is_renewed(fake_wheels):
    folder = cudart.ensure_link(fake_wheels)
    assert folder is not None
    newer = Path(fake_wheels.root) / "lib" / "libcudart.so.13.1"
    newer.touch()
    assert not cudart.linked(fake_wheels)
    cudart.ensure_link(fake_wheels)
    assert (folder / "libcudart.so").resolve() == newer.resolve()


def test_an_unwritable_cache_leaves_the_linker_to_complain(fake_wheels, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "file"))
    assert cudart.search_dirs(fake_wheels) == (str(Path(fake_wheels.root) / "lib"),)


def test_a_whole_toolkit_needs_nothing(fake_wheels, tmp_path):
    whole = toolkit(tmp_path / "whole")
    (tmp_path / "whole" / "lib64" / "libcudart.so").touch()
    assert cudart.search_dirs(whole) == ()


def test_torchs_builds_get_the_search_path(fake_wheels, tmp_path, monkeypatch):
    monkeypatch.setenv("LIBRARY_PATH", "/mine")
    env = runner.environment(Device(), tmp_path)
    assert env["CUDA_HOME"] == fake_wheels.root
    assert env["LIBRARY_PATH"] == os.pathsep.join([*cudart.search_dirs(fake_wheels), "/mine"])


@pytest.mark.skipif(WHEEL is None, reason="no nvcc wheels here: pip install 'cudasmith[cuda]'")
@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_real_wheels_compile_and_link(no_toolkit, tmp_path, runtime):
    found = find_nvcc()
    assert found is not None and WHEEL is not None
    assert found.root == str(WHEEL)
    (tmp_path / "fill.cu").write_text(SOURCE)
    search = [f"-L{d}" for d in cudart.search_dirs(found)]
    rpath = ["-Xlinker", f"-rpath={WHEEL / 'lib'}"]
    command = [
        found.nvcc,
        "-shared",
        "-Xcompiler",
        "-fPIC",
        "-arch=sm_90",
        "-cudart",
        runtime,
        *search,
        *rpath,
    ]
    done = subprocess.run(
        [*command, "fill.cu", "-o", "fill.so"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert ctypes.CDLL(str(tmp_path / "fill.so")).launch is not None
