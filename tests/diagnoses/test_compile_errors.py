"""Which of a compiler's errors is told, where its caret stands, and what a fix makes of the file."""

from __future__ import annotations

import pytest

from captured import applied, log_text, source
from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate, Finding
from cudasmith.report.explain import explain
from cudasmith.stages.diagnose import diagnose


def loaded(name: str) -> tuple[str, Candidate]:
    candidate = source(name)
    assert candidate is not None
    return log_text(name), candidate


@pytest.mark.parametrize(
    ("log", "lines"),
    [
        ("missing_semicolon", ["int i = blockIdx.x*blockDim.x+threadIdx.x;"]),
        ("struct_without_semicolon", ["struct Pair { float a; float b; };"]),
        ("prose_in_cuda", ["// Here is the optimized CUDA kernel:"]),
        ("fence_in_cuda", []),
        ("newline_in_plain_string", ["cuda_src = r'''"]),
        ("wrong_case_builtin", ["int i = threadIdx.x + blockidx.x * blockdim.x;"]),
        ("unknown_type", ["#include <cuda_fp16.h>"]),
        ("shuffle_without_sync", ["v += __shfl_down_sync(0xffffffff, v, 16);"]),
        ("missing_typename_keyword", ["typename Acc<T>::type s = 0;"]),
        ("lambda_capture_missing", ["auto f = [=](float v) { return v * s; };"]),
        ("dispatch_captures_nothing", ['AT_DISPATCH_FLOATING_TYPES(a.scalar_type(), "lerp_op", [&] {']),
        ("check_without_quotes", ['TORCH_CHECK(x.dim() == 3, "expected a 3-D tensor");']),
        ("keyword_singular", ["cuda_sources=cuda_source,"]),
        ("dispatch_on_type", ['AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "run", [&] {']),
        ("kernel_returns_value", ["__global__ void k(float* y) { return y[0]; }"]),
        ("warp_size_constant", ["__shared__ float s[32];"]),
        (
            "shared_initialiser",
            ["__shared__ float total; if (threadIdx.x == 0) total = 0.f; __syncthreads();"],
        ),
        ("nvcc_wall", ["extra_cuda_cflags=['-Xcompiler', '-Wall'],"]),
        ("name_with_dash", ['name="relu_forward",']),
    ],
)
def test_a_fix_writes_the_line_right(log: str, lines: list[str]) -> None:
    text, candidate = loaded(log)
    fix = diagnose(text, candidate)[0].fix
    assert fix is not None
    before = candidate.text.split("\n")
    changed = [line.strip() for line in applied(candidate.text, fix).split("\n") if line not in before]
    assert changed == lines


def test_an_error_behind_a_syntax_error_is_not_believed() -> None:
    text = '/x/cuda.cu(3): error: expected a ";"\n/x/cuda.cu(4): error: too few arguments in function call'
    assert own_error(Log(text), "too few") is None
    assert own_error(Log(text.split("\n")[1]), "too few") is not None


def test_an_error_in_a_header_is_not_the_users() -> None:
    assert own_error(Log('/x/torch/Tensor.h(3): error: expected a ";"'), "expected") is None


def test_the_other_source_is_read_although_the_first_is_broken() -> None:
    text = "/x/main.cpp:3:1: error: expected declaration\n/x/cuda.cu(4): error: too few arguments in function call"
    assert own_error(Log(text), "too few") is not None


def test_the_caret_is_found_behind_an_expanded_macro() -> None:
    text, candidate = loaded("struct_without_semicolon")
    log = Log(text)
    place = spot(log, log.said[0], candidate)
    assert place is not None and place.caret is not None
    assert place.text[place.caret - place.start :].startswith("void k(")


def told(source: str, error: str, line: int, quoted: str = "") -> list[str]:
    """The messages of an error in the lines of a source that a Python file builds its text of."""
    text = f'from torch.utils.cpp_extension import load_inline\nsrc = ({source})\nload_inline("m", "", src, no_implicit_headers=True)\n'
    log = f"/b/m/cuda.cu({line}): error: {error}\n  {quoted}\n  ^\n"
    return [f.message for f in diagnose(log, Candidate(text))]


@pytest.mark.parametrize(
    ("pieces", "swallowed"),
    [
        (["void f() { ", "  int i; // the index ", "  i = ;", "}"], True),
        (["void f() { ", "  int i; // the index\\n", "  i = ;", "}"], False),
        (["void f() { ", "  g('//'); ", "  i = ;", "}"], False),
        (["void f() {\\n", "  int i; // the index ", "// of all;\\n", "  i = ;", "}"], False),
        (["#include <a.h> ", "void f() { i = ; }"], True),
        (["#include <a.h>\\n", "void f() { i = ; }"], False),
        (["#define F(x) ", "{ i = ; }"], False),
    ],
)
def test_a_comment_swallows_the_strings_that_it_has_no_newline_before(
    pieces: list[str], swallowed: bool
) -> None:
    messages = told("\n".join(f'"{p}"' for p in pieces), "expected an expression", 1)
    assert any("goes on to the end" in m for m in messages) is swallowed


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("int a[1] = {n} b;", False),  # n is a name of the text
        ("g(x, {n}) b;", False),
        ("g(x, {m}) b;", True),
        ("float s[{m}];", True),
        ("struct A { m };", False),
    ],
)
def test_a_field_is_a_name_that_the_text_does_not_have(line: str, named: bool) -> None:
    messages = told(f"'''void f(int n) {{\n{line}\n}}'''", "expected an expression", 2)
    assert any("never filled in" in m for m in messages) is named


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("TORCH_CHECK(n > 0 and n < 9, z);", False),
        ("TORCH_CHECK(n > 0, z, (unsigned long) n);", False),
        ("TORCH_CHECK(n > 0, sizeof n, z);", False),
        ("TORCH_CHECK(n > 0, z is too small, n);", True),
        ("TORCH_CHECK(n > 0,\n  z is too small);", True),
        ("throw std::runtime_error(z is too small);", True),
    ],
)
def test_a_text_without_quotes_is_two_names_side_by_side(line: str, named: bool) -> None:
    messages = told(f"'''void f(int n) {{\n{line}\n}}'''", 'identifier "z" is undefined', 2)
    assert any("has no quotes" in m for m in messages) is named


@pytest.mark.parametrize(
    ("call", "named"),
    [
        ('AT_DISPATCH_FLOATING_TYPES_AND(x.scalar_type(), "f", [&] { g<scalar_t>(); });', "takes 2 before its name, and 1 is"),
        ('AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, x.scalar_type(), "f", [&] { g<scalar_t>(); });', "takes 3 before its name, and 2 are"),
        ('AT_DISPATCH_FLOATING_TYPES_AND(at::kHalf, x.scalar_type(), "f", [&] { g<scalar_t>(); });', ""),
        ('AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "f", [&] { g<scalar_t>(); });', ""),
    ],
)  # fmt: skip
def test_a_dispatch_with_further_types_wants_as_many_as_it_says(call: str, named: str) -> None:
    messages = told(f"'''void f() {{\n{call}\n}}'''", 'identifier "scalar_t" is undefined', 2)
    assert any("lacks a type" in m for m in messages) is bool(named)
    assert named in messages[0]


_LINES = """
int f(int n) {{
  int i = n;
  {body}
{end}"""


@pytest.mark.parametrize(
    ("log", "body", "end", "place"),
    [
        ("cuda.cu:7:13: error: expected ';' before '}' token", "return i*2", "}", (5, 12)),
        ("cuda.cu:7: error: expected ';' before '}' token", "return i*2  // n", "}", (5, 12)),
        ("cuda.cu:7:9: error: expected ';' before 'return'", "i += 2", "return i; }", (5, 8)),
        ("cuda.cu:7:14: error: expected ';' before '}' token", " return i*2 }", "", (5, 13)),
        (
            'cuda.cu(7): error: expected a ";"\n   return i*2 }\n              ^\n',
            " return i*2 }",
            "",
            (5, 13),
        ),
        ('cuda.cu(7): error: expected a ";"\n  return i*2;\n  ^\n', "return i*2;", "}", None),
    ],
)
def test_a_missing_semicolon_is_written_where_it_belongs_and_never_twice(
    log: str, body: str, end: str, place: tuple[int, int] | None
) -> None:
    text = (
        f'from torch.utils.cpp_extension import load_inline\nA = """{_LINES.format(body=body, end=end)}"""\n'
    )
    text += 'load_inline(name="x", cpp_sources="", cuda_sources=A, functions=["f"])\n'
    (found, *_) = diagnose("x/" + log, Candidate(text, "x.py"))
    assert found.code == "DG201" and found.span is not None
    fixed = "" if found.fix is None else applied(text, found.fix)
    assert ";;" not in fixed
    if place is None:
        assert found.fix is None
    else:
        assert (found.span.line, found.span.column) == place, found
        assert "return i*2;" in fixed or "i += 2;" in fixed


_LOAD = "from torch.utils.cpp_extension import load_inline\n"


def test_a_function_defined_twice_has_its_own_name() -> None:
    said = "/usr/bin/ld: cuda.o: in function `f': (.text+0x0): multiple definition of `_Z1fN2at6TensorE'; main.o: first defined here"
    (found,) = diagnose(said)
    assert found.code == "DG404" and "_Z1f" not in f"{found.message}{found.help}"
    assert "f(at::Tensor)" in found.message


def test_one_cause_of_two_errors_is_told_once() -> None:
    off = (
        'cuda.cu(4): error: no suitable conversion function from "__half" to "float" exists\n'
        'cuda.cu(4): error: no operator "=" matches these operands\n            operand types are: {} = float\n'
    )
    told = [f.code for f in diagnose(off.format("__half"))]
    assert told == ["DG246"]
    assert len(diagnose(off.format("Own"))) > 1  # another cause


@pytest.mark.parametrize(
    ("said", "header"),
    [
        ("main.cpp:3:9: error: 'cudaDeviceSynchronize' was not declared in this scope", "cuda_runtime.h"),
        (
            "cuda.cu:3: error: 'acc_type' in namespace 'at' does not name a template type",
            "ATen/AccumulateType.h",
        ),
        ('cuda.cu(3): error: namespace "at" has no member "acc_type"', "ATen/AccumulateType.h"),
    ],
)
def test_a_name_of_cuda_or_torch_names_its_header(said: str, header: str) -> None:
    (found, *_) = diagnose(said)
    assert f"#include <{header}>" in str(found.help), found


def test_an_undefined_function_that_is_declared_twice_stands_at_the_last_declaration() -> None:
    text = _LOAD + 'A = "int h(int a);"\nB = """\nint h(int a);\nint f() { return h(1); }"""\n'
    text += 'load_inline(name="x", cpp_sources=A, cuda_sources=B, functions=["f"])\n'
    (found,) = diagnose("ImportError: x.so: undefined symbol: _Z1hi", Candidate(text, "x.py"))
    assert found.code == "DG401" and found.span is not None and found.span.line == 4


def test_the_page_on_quotes_shows_the_newline_as_it_is_written() -> None:
    assert "contains `\\n`" in explain("DG206")


@pytest.mark.parametrize(
    ("log", "code", "pointed"),
    [
        ("undefined_identifier", "DG215", "N"),
        ("too_many_initializers", "DG286", "3.f"),
        ("gxx_wrong_arguments", "DG241", "launch"),
        ("pointer_for_value", "DG240", "s"),
        ("gxx_invalid_conversion", "DG240", "x"),
        ("missing_pragma_paren", "DG201", "{"),
        ("host_function_in_device", "DG230", "gelu"),
    ],
)
def test_the_caret_points_at_the_name_or_the_value(log: str, code: str, pointed: str) -> None:
    text, candidate = loaded(log)
    assert pointed_at(diagnose(text, candidate)[0], candidate) == (code, pointed)


def pointed_at(found: Finding, candidate: Candidate) -> tuple[str, str]:
    assert found.span is not None and found.span.end_column is not None
    line = candidate.text.split("\n")[found.span.line - 1]
    return found.code, line[found.span.column - 1 : found.span.end_column - 1]


NVCC = "{file}({line}): error: {said}\n  {text}\n  {caret:>{column}}\n"
GXX = "{file}:{line}:{column}: error: {said}\n {line:4} | {text}\n"


@pytest.mark.parametrize(
    ("form", "text", "said", "at", "told"),
    [
        (NVCC, "if (i < n) x[i] = y[i];", "expression must be a modifiable lvalue", "x[", ("DG248", "x[i]")),
        (NVCC, "if (i = n) y[i] = 1;", "expression must be a modifiable lvalue", "i =", ("DG212", "=")),
        (NVCC, "while (f(a) = n", "expression must be a modifiable lvalue", "f(", ("DG212", "=")),
        (GXX, "if (i < n) x[i] = y[i];", "assignment of read-only location ‘*(x + ((sizetype)(i * 4)))’", "= y",
         ("DG248", "x[i]")),
        (NVCC, "auto a = torch::zeros({4}, torch.float32);", "namespace name is not allowed", "torch.", ("DG212", "torch.float32")),
        (NVCC, "auto a = torch::zeros({4}, dtype=torch::kFloat32);", 'identifier "dtype" is undefined', "dtype", ("DG212", "dtype=")),
        (NVCC, "z[i] = f(x[i]);", "too few arguments in function call", ");", ("DG241", "f")),
        (NVCC, "z[i] = f(g(x[i]));", "too few arguments in function call", ");", ("DG241", "f")),
        (NVCC, "return 1.5f;", 'no suitable constructor exists to convert from "float" to "at::Tensor"', "1.5f", ("DG240", "1.5f")),
        (GXX, "return 1.5f;", "could not convert ‘1.5e+0f’ from ‘float’ to ‘at::Tensor’", "1.5f", ("DG240", "1.5f")),
    ],
)  # fmt: skip
def test_both_compilers_errors_point_at_the_users_words(
    form: str, text: str, said: str, at: str, told: tuple[str, str]
) -> None:
    file = f'from torch.utils.cpp_extension import load_inline\nsrc = """void f() {{\n{text}\n}}"""\n'
    candidate = Candidate(f'{file}load_inline("m", "", src, no_implicit_headers=True)\n')
    column = text.index(at) + 1
    log = form.format(file="/b/m/cuda.cu", line=2, said=said, text=text, caret="^", column=column)
    (found,) = diagnose(log, candidate)
    assert pointed_at(found, candidate) == told
    assert "sizetype" not in found.message


@pytest.mark.parametrize(
    ("text", "lacks", "told", "help", "confidence"),
    [
        ("__syncthreds();", "__syncthreds", ("DG215", "__syncthreds"), "write __syncthreads", "high"),
        ("cudaFrobnicate(1);", "cudaFrobnicate", ("DG215", "cudaFrobnicate"), "--executor gpu", "low"),
        ("#include <cub/blok.cuh>", "the header <cub/blok.cuh>", ("DG220", "#include <cub/blok.cuh>"), "--executor gpu", "low"),
    ],
)  # fmt: skip
def test_what_the_emulator_does_not_know_is_told_at_its_line(
    text: str, lacks: str, told: tuple[str, str], help: str, confidence: str
) -> None:
    file = f'from torch.utils.cpp_extension import load_inline\nsrc = """\n{text}\n"""\n'
    candidate = Candidate(f'{file}load_inline("m", "", src, no_implicit_headers=True)\n')
    (found,) = diagnose(f"m_v0/cuda.cu:2: error: the emulator does not have {lacks}\n", candidate)
    assert pointed_at(found, candidate) == told
    assert found.confidence == confidence and help in (found.help or "")
