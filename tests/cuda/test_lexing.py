"""Launches, shared declarations and bindings are found by lexing, wherever they stand."""

from __future__ import annotations

import pytest

from cudasmith.cuda.launches import find_launches
from cudasmith.cuda.module_blocks import find_bindings
from cudasmith.cuda.shared import find_shared


@pytest.mark.parametrize(
    ("text", "kernel", "name"),
    [
        ("add<<<1, 2>>>(x);", "add", "add"),
        ("ns::add<float, Op<int>> <<<dim3(1), 2, 0, s>>>(x);", "ns::add<float, Op<int>>", "add"),
        ("#define L(N) \\\n  k<N><<<g, b>>>(x)\n", "k<N>", "k"),
        ("f([&] { k<scalar_t, (A > B)>\n<<<g,\nb>>>(x); });", "k<scalar_t, (A > B)>", "k"),
        ("(*kernel)<<<g, b>>>(x);", "(*kernel)", "*kernel"),
    ],
)
def test_launches(text: str, kernel: str, name: str) -> None:
    (site,) = find_launches(text)
    assert (site.kernel, site.name) == (kernel, name)
    assert text[site.open_start : site.open_end] == "<<<"
    assert text[site.close_start : site.close_end] == ">>>"


def test_launches_in_comments_and_strings_are_not_launches() -> None:
    assert find_launches('// k<<<1, 1>>>(x);\n/* k<<<1, 1>>>() */ const char* s = "k<<<1,1>>>()";') == []


def test_shared_declarations() -> None:
    text = (
        "extern __shared__ float top[];\n"
        "namespace n { template <int N> __global__ void k() {\n"
        "  __shared__ __align__(16) Pair<int, N> a[N >> 1][N + 1], b;\n"
        "  volatile __shared__ float c[3];\n"
        "  extern __shared__ unsigned char raw[];\n} }\n"
    )
    top, first, volatile, raw = find_shared(text)
    assert (top.dynamic, top.in_function, top.type) == (True, False, "float")
    assert (first.type, first.line, first.in_function) == ("Pair<int, N>", 3, True)
    assert [(v.name, v.dimensions) for v in first.variables] == [("a", "[N >> 1][N + 1]"), ("b", "")]
    assert volatile.type == "volatile float"
    assert (raw.type, raw.dynamic, raw.variables[0].dimensions) == ("unsigned char", True, "[]")


def test_bindings() -> None:
    (found,) = find_bindings(
        "// PYBIND11_MODULE(no, m)\n#ifndef PYBIND11_MODULE\nPYBIND11_MODULE(op, m) {}\n"
    )
    assert (found.module, found.line) == ("op", 3)
