"""Builds where every folder's name has blanks and non-ASCII letters, and with compilers that CXX names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.hostapi.library import support_library
from cudasmith.store import place

NVCC = find_nvcc()
KERNEL = "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }"
KINDS = ("support", "emulator-header", "emulator-runtime")


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which cache, temporary files and toolkit lie; what takes long to build is the real cache's, by links."""
    folder = tmp_path / "mes fichiers 'été' ü 数"
    for name in ("cache é x", "tmp é x"):
        (folder / name).mkdir(parents=True)
    for kind in KINDS:
        real = (place.root() / kind).resolve()
        real.mkdir(parents=True, exist_ok=True)
        (folder / "cache é x" / kind).symlink_to(real)
    monkeypatch.setenv("CUDASMITH_CACHE", str(folder / "cache é x"))
    monkeypatch.setenv("TMPDIR", str(folder / "tmp é x"))
    if NVCC:
        (folder / "cuda é x").symlink_to(NVCC.root)
        monkeypatch.setenv("CUDA_HOME", str(folder / "cuda é x"))
    return folder


def source(folder: Path, cuda: str = "") -> str:
    file = folder / "mon modèle.py"
    more = f", cuda_sources={cuda!r}" if cuda else ""
    file.write_text(
        "from torch.utils.cpp_extension import load_inline\n"
        f'm = load_inline(name="m", cpp_sources="int64_t f() {{ return 7; }}", functions=["f"]{more})\n'
    )
    return str(file)


def built(*args: str, code: int = 0, **env: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "cudasmith", "build", "--json", *args]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env}, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    found = json.loads(done.stdout)["files"][0]
    assert isinstance(found, dict)
    return found


@pytest.mark.skipif(NVCC is None, reason="no nvcc was found")
def test_the_fast_builder_takes_any_path(odd: Path) -> None:
    support_library(str(Path(NVCC.root) / "include") if NVCC else None)
    (build,) = built(source(odd, KERNEL))["builds"]
    assert build["status"] == "OK" and build["library"].startswith(str(odd))
    assert [k["kernel"] for k in build["kernels"]] == ["scale"] and list((odd / "tmp é x").iterdir()) == []


def test_the_emulator_takes_any_path(odd: Path) -> None:
    (build,) = built("--executor", "emulator", source(odd, KERNEL))["builds"]
    assert build["status"] == "OK", build["log"]
    assert list((odd / "tmp é x").iterdir()) == []


@pytest.mark.skipif(
    "CUDASMITH_SLOW_TESTS" not in os.environ, reason="half a minute; set CUDASMITH_SLOW_TESTS"
)
def test_torchs_own_builder_takes_any_path(odd: Path) -> None:
    (build,) = built("--builder", "torch", source(odd))["builds"]
    assert build["status"] == "OK", build["log"]


@pytest.mark.skipif(shutil.which("g++-12") is None, reason="no g++-12")
def test_another_compiler_is_taken_by_its_path(odd: Path) -> None:
    """By a link, in a folder with blanks."""
    (odd / "g++-12").symlink_to(str(shutil.which("g++-12")))
    (build,) = built(source(odd), CXX=str(odd / "g++-12"))["builds"]
    assert build["status"] == "OK"


@pytest.mark.skipif(shutil.which("clang++") is None, reason="no clang++")
def test_clang_builds_too(odd: Path) -> None:
    (build,) = built(source(odd), CXX="clang++")["builds"]
    assert build["status"] == "OK"


@pytest.mark.parametrize("how", [(), ("--executor", "emulator"), ("--builder", "torch")])
def test_a_compiler_that_is_not_there_is_told(how: tuple[str, ...], odd: Path) -> None:
    error = built(*how, source(odd), code=4, CXX="/nowhere/g++-99")["error"]
    assert error["code"] == "CSB003" and "CXX=/nowhere/g++-99" in error["message"]
    assert "unset CXX" in error["help"]
