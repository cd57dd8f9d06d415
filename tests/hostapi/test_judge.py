"""Whose fault an error is: only what does not depend on the headers counts against a source."""

from __future__ import annotations

import pytest

from cudasmith.hostapi.judge import not_the_users


@pytest.mark.parametrize(
    "log",
    [
        'cuda.cu(7): error: expected a ";"\n    int n = x\n',
        '/tmp/a/cuda.cu(3): error: identifier "fooo" is undefined\n',
        "main.cpp:5:3: error: 'fooo' was not declared in this scope\n",
        "cuda_sources[0]:5:3: error: expected ';' before 'x'\n",
        'cuda.cu(9): error: identifier "inptu" is undefined\n    auto y = torch::empty_like(inptu);\n',
        "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x10000 bytes, 0xc000 max)\n",
    ],
)
def test_an_error_that_any_headers_would_give_is_the_sources(log: str) -> None:
    assert not_the_users(log, log) == ""


@pytest.mark.parametrize(
    "log",
    [
        'cuda.cu(7): error: class "at::Tensor" has no member "softmax"\n',
        'cuda.cu(7): error: namespace "torch" has no member "einsum"\n',
        "main.cpp:5:3: error: 'softmax' is not a member of 'torch::nn'\n  torch::nn::softmax(x)\n",
        "/x/light/cudasmith/tensor.h(9): error: static assertion failed\n",
        "main.cpp:5:3: error: ‘softmax’ was not declared in this scope\n    5 |   auto y = softmax(x, 0);\n",
        'cuda.cu(3): error: identifier "usleep" is undefined\n',
        'cuda.cu(3): error: identifier "TORCH_ARG" is undefined\n',
        "something that no compiler says\n",
        "",
    ],
)
def test_an_error_that_speaks_of_torch_proves_nothing(log: str) -> None:
    assert not_the_users(log, log) != ""


def test_a_name_may_come_from_a_namespace_that_the_source_opens() -> None:
    log = 'cuda.cu(3): error: identifier "fooo" is undefined\n'
    assert not_the_users(log, "using namespace at;\n") != ""
