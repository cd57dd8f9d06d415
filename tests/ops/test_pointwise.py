"""Types, literals and special values in generated expressions."""

from __future__ import annotations

import itertools

import pytest
import torch

from cudasmith.model import Dtype, Ref
from cudasmith.ops._families.functors import load_functor
from cudasmith.ops._families.pointwise import Group, statements, why_not
from cudasmith.ops._families.scalars import literal, promote
from graphs import graph, node, value

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


@pytest.mark.parametrize(("a", "b"), list(itertools.product(NAMES, NAMES)))
def test_two_tensors_promote_as_in_pytorch(a: str, b: str) -> None:
    expected = torch.promote_types(getattr(torch, a), getattr(torch, b))
    assert promote([a, b], [], []) == str(expected).removeprefix("torch.")


@pytest.mark.parametrize(("tensor", "number"), list(itertools.product(NAMES, (True, 3, 2.5))))
def test_numbers_raise_the_category_only(tensor: str, number: float) -> None:
    expected = torch.result_type(torch.ones(2, dtype=getattr(torch, tensor)), number)
    assert promote([tensor], [], [number]) == str(expected).removeprefix("torch.")


@pytest.mark.parametrize(("full", "zero"), list(itertools.product(NAMES, NAMES)))
def test_zero_dim_tensors_raise_the_category_only(full: str, zero: str) -> None:
    a, b = torch.ones(2, dtype=getattr(torch, full)), torch.ones((), dtype=getattr(torch, zero))
    assert promote([full], [zero], []) == str(torch.result_type(a, b)).removeprefix("torch.")


@pytest.mark.parametrize(
    ("number", "dtype", "text"),
    [
        (2, "float32", "2.0f"),
        (0.1, "float64", "0.1"),
        (1e-5, "float16", "1e-05f"),
        (float("inf"), "float32", "static_cast<float>(INFINITY)"),
        (float("-inf"), "float64", "-static_cast<double>(INFINITY)"),
        (float("nan"), "float32", "static_cast<float>(NAN)"),
        (1 << 40, "int64", "1099511627776LL"),
        (True, "bool", "true"),
    ],
)
def test_a_number_keeps_its_value_and_type_as_a_literal(number: float, dtype: str, text: str) -> None:
    assert literal(number, dtype) == text


def _lines(
    target: str, *args: object, out: str = "float32", x: str = "float32", **kwargs: object
) -> list[str]:
    operand = value("x", "s0", dtype=x)
    n = node("y", target, Ref("x"), *args, out=value("y", "s0", dtype=out), **kwargs)  # type: ignore[arg-type]
    g = graph((operand,), (n,))
    assert why_not(g, n) is None
    return statements(g, Group((n,), n.value, (operand,)))  # type: ignore[arg-type]


def test_relu_lets_nan_through() -> None:
    assert _lines("aten.relu.default") == ["return x < float(0) ? float(0) : x;"]


def test_a_cast_to_half_rounds_inside_a_chain() -> None:
    assert _lines("aten.to.dtype", Dtype("float16"), out="float16") == [
        "return __half2float(__float2half_rn(x));"
    ]


def test_integers_divide_as_floats() -> None:
    assert _lines("aten.div.Tensor", 3, x="int64") == ["return static_cast<float>(x) / 3.0f;"]


def test_comparison_happens_in_the_common_type() -> None:
    assert _lines("aten.gt.Scalar", 0.5, x="int32", out="bool") == ["return static_cast<float>(x) > 0.5f;"]


def test_clamp_with_one_end_only() -> None:
    assert _lines("aten.clamp.default", None, 6.0) == ["return x > 6.0f ? 6.0f : x;"]


@pytest.mark.parametrize(
    ("target", "args", "dtype"),
    [
        ("aten.pow.Tensor_Scalar", (2,), "int64"),
        ("aten.cumsum.default", (0,), "float32"),
        ("aten.exp.default", (), "complex64"),
    ],
)
def test_what_has_no_expression_gives_a_reason(target: str, args: tuple[int, ...], dtype: str) -> None:
    n = node("y", target, Ref("x"), *args, out=value("y", "s0", dtype=dtype))
    assert why_not(graph((value("x", "s0", dtype=dtype),), (n,)), n)


def test_a_broadcast_operand_is_read_through_its_own_index() -> None:
    x, b = value("x", "s0", "s1"), value("b", "s1")
    n = node("y", "aten.add.Tensor", Ref("x"), Ref("b"), out=value("y", "s0", "s1"))
    g = graph((x, b), (n,))
    load = load_functor(g, Group((n,), n.value, (x, b)), "add", "fast")  # type: ignore[arg-type]
    assert "__ldg(b + at_b(i + k))" in load.struct
    assert load.bytes_per_element == 4  # the broadcast operand does not count per element
    assert load.aligned == "aligned16(x.const_data_ptr())"
