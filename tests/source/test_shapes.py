"""What forward hands to the extension, at a problem's sizes."""

from __future__ import annotations

import attrs
import pytest

from cudasmith.model import Candidate, Graph, Ref, StateEntry, Value
from cudasmith.source.filemodel import parse_file
from cudasmith.source.shapes import Known, Sized, calls_at
from graphs import captured

HEAD = """\
import torch
from torch.utils.cpp_extension import load_inline
ext = load_inline(name="e", cpp_sources=[], cuda_sources=[""])


class Op(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return ext.f(x, n)


def helper(x, n=3):
    return ext.f(x, n)


class ModelNew(torch.nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k * 2

    def forward(self, x):
"""


def seen(body: str) -> list[tuple[Known, ...]]:
    """Arguments of each call of the extension, for x of 4 by 6, an argument 5 of __init__ and a weight of 7."""
    inputs = (Value("x", (4, 6), ("4", "6"), "float32"),)
    base = captured(Graph(inputs, (), (), Ref("x")))
    capture = attrs.evolve(
        base, init_literals=(("5",), True), state=(StateEntry("weight", (7,), "float32", "parameter"),)
    )
    text = HEAD + "".join(f"        {line}\n" for line in body.split("\n"))
    calls = calls_at(parse_file(Candidate(text)), capture, lambda name, arguments: arguments[0])
    return [arguments for each in calls.values() for arguments in each]


X = Sized((4, 6), "float32")


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("return ext.f(x, 1)", (X, 1)),
        ("return ext.f(x.contiguous(), x.shape[1])", (X, 6)),
        ("return Op.apply(x, self.k)", (X, 10)),
        ("return helper(x)", (X, 3)),
        ("a, b = x.shape\nreturn ext.f(x.view(-1, 3), a * b)", (Sized((8, 3), "float32"), 24)),
        ("return ext.f(x.transpose(0, 1), x.dim())", (Sized((6, 4), "float32"), 2)),
        ("return ext.f(self.weight, x.numel())", (Sized((7,), "float32"), 24)),
        ("if x.size(0) > 3:\n    return ext.f(x, 1)\nreturn ext.f(x, 2)", (X, 1)),
        ("n = 1\nfor i in range(3):\n    n = n + i\nreturn ext.f(x, n)", (X, None)),
        ("n = 1\nif unknown():\n    n = 2\nreturn ext.f(x, n)", (X, None)),
        ("return ext.f(x[0], 1)", (None, 1)),
        ("return ext.f(torch.relu(x), 1)", (None, 1)),
    ],
)
def test_arguments_of_the_extension(body: str, arguments: tuple[Known, ...]) -> None:
    assert seen(body) == [arguments]


def test_each_time_that_a_call_is_reached_is_seen() -> None:
    assert seen("y = helper(x, 1)\nreturn helper(y, 2)") == [(X, 1), (X, 2)]


def test_endless_recursion_ends() -> None:
    assert len(seen("self.forward(x)\nreturn ext.f(x, 1)")) >= 1
