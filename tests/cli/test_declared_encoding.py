"""A file that declares its encoding (PEP 263) is read by every verb as Python reads it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cudasmith.model import ProblemError
from cudasmith.stages.read import raw_text

LATIN = "# -*- coding: latin-1 -*-\n"
TEXT = """import torch
from torch.utils.cpp_extension import load_inline
SRC = r'''
// größe
int64_t f() { return 5; }
'''
m = load_inline(name="m", cpp_sources=SRC, functions=["f"])
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return x
"""


def verb(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cudasmith", *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def latin(tmp_path: Path) -> Path:
    path = tmp_path / "latin.py"
    path.write_bytes((LATIN + TEXT).encode("latin-1"))
    return path


def test_it_is_checked_and_built(latin: Path) -> None:
    assert raw_text(latin, str(latin)) == LATIN + TEXT
    checked = json.loads(verb("check", "--json", str(latin)).stdout)
    assert "CSP004" not in json.dumps(checked)
    for executor in ("gpu", "emulator"):
        done = verb("build", "--executor", executor, str(latin))
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_log_is_explained_at_its_line(latin: Path, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("main.cpp:4:5: error: expected ‘;’ before ‘}’ token\n", encoding="utf-8")
    done = verb("explain", "--log", str(tmp_path / "log"), "--file", str(latin))
    assert f"{latin}:6" in done.stdout, done.stdout + done.stderr


def test_it_is_emulated(tmp_path: Path) -> None:
    kernel = (
        "import torch\nfrom torch.utils.cpp_extension import load_inline\nSRC = r'''\n// größe\n"
        "__global__ void k(float* y) { y[threadIdx.x] = 1; }\n"
        "torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); k<<<1, 4>>>(y.data_ptr<float>()); return y; }\n'''\n"
        'm = load_inline(name="m", cpp_sources="torch::Tensor f(torch::Tensor x);", cuda_sources=SRC, functions=["f"])\n'
        "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return m.f(x)\n"
        "def get_inputs():\n    return [torch.rand(4)]\n"
    )
    (tmp_path / "k.py").write_bytes((LATIN + kernel).encode("latin-1"))
    done = verb("emulate", str(tmp_path / "k.py"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_fix_keeps_the_encoding(tmp_path: Path) -> None:
    text = "# größe\nfrom torch.utils.cpp_extension import load_inline\n"
    text += 'SRC = r"""\n__global__ void k(float* x) { x[0] = __shfl_down(x[0], 1); }\n"""\n'
    text += 'm = load_inline(name="m", cpp_sources="", cuda_sources=SRC, functions=[])\n'
    (tmp_path / "k.py").write_bytes((LATIN + text).encode("latin-1"))
    before = (tmp_path / "k.py").read_bytes()
    verb("check", "--fix", "--unsafe", str(tmp_path / "k.py"))
    after = (tmp_path / "k.py").read_bytes()
    assert after != before and after.startswith((LATIN + "# größe\n").encode("latin-1"))


def test_an_encoding_that_nobody_knows_is_told(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_bytes(b"# coding: klingon\nx = '\xf6'\n")
    with pytest.raises(ProblemError, match="unknown encoding") as told:
        raw_text(tmp_path / "k.py", "k.py")
    assert (told.value.code, told.value.where) == ("CSP004", "k.py:1")
