"""The edits that diagnoses of the Python side offer: applied, the fault they name is gone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cudasmith.model import Candidate
from cudasmith.model.finding import Fix
from cudasmith.source.text import SourceText
from cudasmith.stages.diagnose import diagnose

LOGS = Path(__file__).parents[1] / "data" / "logs"


def fixed(log: str) -> str:
    path = LOGS / f"{log}.py"
    text = path.read_text()
    fix = diagnose((LOGS / f"{log}.txt").read_text(), Candidate(text, str(path)))[0].fix
    assert fix is not None
    return applied(text, fix)


def applied(text: str, fix: Fix) -> str:
    starts = [*SourceText.of(text).starts, len(text)]
    first = starts[fix.span.line - 1] + fix.span.column - 1
    last = starts[(fix.span.end_line or fix.span.line) - 1] + (fix.span.end_column or fix.span.column) - 1
    return text[:first] + fix.text + text[last:]


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("smart_quote", 'name = "relu"'),
        ("missing_colon", "class ModelNew(torch.nn.Module):"),
        ("load_inline_not_imported", "from torch.utils.cpp_extension import load_inline"),
        ("torch_alias_missing", "import torch.nn as nn"),
        ("import_no_module", "from torch.utils.cpp_extension import load_inline"),
        ("name_undefined", "module = load_inline(name='relu', cpp_sources='', cuda_sources=relu_source)"),
        ("cpp_sources_none", "load_inline(name='a1', cpp_sources=\"\", cuda_sources='x')"),
        ("cuda_sources_tuple", "load_inline(name='a3', cpp_sources='', cuda_sources=['x'], functions=['f'])"),
        ("functions_tuple", 'load_inline(name="a", cpp_sources="int f() { return 1; }", functions=["f"])'),
        ("keyword_cuda_flags", '    extra_cuda_cflags=["-O3"],'),
        ("cflags_string", '    extra_cflags=["-O3"],'),
        ("name_hyphen", 'module = load_inline(name="relu_forward", cpp_sources=[SOURCE], no_implicit_headers=True)'),
        ("no_super_init", "        super().__init__()"),
        ("std17_flag", "mod = load_inline(name='std17_flag', cpp_sources=[cpp_src], cuda_sources=[cuda_src], "
         "with_cuda=True, no_implicit_headers=True, extra_cuda_cflags=[])"),
    ],
)  # fmt: skip
def test_the_fixed_file_holds_the_right_line_and_is_python(log: str, line: str) -> None:
    text = fixed(log)
    assert line in text.split("\n")
    ast.parse(text)


@pytest.mark.parametrize("log", ["fence_at_end", "prose_in_python"])
def test_what_is_no_python_is_taken_out(log: str) -> None:
    ast.parse(fixed(log))
