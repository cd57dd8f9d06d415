"""Which steps a graph becomes, and what is folded where."""

from __future__ import annotations

import pytest

from cudasmith.model import Graph, Ref
from cudasmith.stages.plan import plan
from graphs import captured, graph, node, value

X = value("x", "s0", "s1")


def steps(g: Graph, tier: str = "minimal") -> list[tuple[str, tuple[str, ...], str | None]]:
    chosen = plan(captured(g), "fast" if tier == "fast" else "minimal")
    return [(s.kind, s.nodes, s.unit) for s in chosen.eval.steps]


def elementwise(name: str, target: str, *args: object, **kwargs: object) -> object:
    return node(name, f"aten.{target}", *args, out=value(name, "s0", "s1"), **kwargs)  # type: ignore[arg-type]


def test_a_chain_of_elementwise_operators_is_one_kernel() -> None:
    g = graph(
        (X,), (elementwise("a", "relu.default", Ref("x")), elementwise("b", "mul.Tensor", Ref("a"), 2.0))
    )
    assert steps(g) == [("kernel", ("a", "b"), "pointwise")]


def test_a_value_that_is_also_returned_is_written_once_and_read_again() -> None:
    nodes = (elementwise("a", "relu.default", Ref("x")), elementwise("b", "exp.default", Ref("a")))
    g = graph((X,), nodes, (Ref("a"), Ref("b")))
    assert steps(g) == [("kernel", ("a",), "pointwise"), ("kernel", ("b",), "pointwise")]


def test_work_before_and_after_a_scan_moves_into_its_kernel() -> None:
    nodes = (
        elementwise("a", "mul.Tensor", Ref("x"), 2.0),
        elementwise("c", "cumsum.default", Ref("a"), 1),
        elementwise("r", "relu.default", Ref("c")),
    )
    assert steps(graph((X,), nodes)) == [("kernel", ("a", "c", "r"), "scan")]


def test_work_that_two_consumers_read_is_not_repeated() -> None:
    nodes = (
        elementwise("a", "exp.default", Ref("x")),
        elementwise("c", "cumsum.default", Ref("a"), 1),
        elementwise("r", "add.Tensor", Ref("c"), Ref("a")),
    )
    assert steps(graph((X,), nodes)) == [("kernel", ("a",), "pointwise"), ("kernel", ("c", "r"), "scan")]


def test_an_operator_without_a_unit_stays_pytorch_with_its_reason() -> None:
    g = graph((X,), (elementwise("a", "special_bessel_j0.default", Ref("x")),))
    chosen = plan(captured(g), "fast")
    assert [s.kind for s in chosen.eval.steps] == ["torch"]
    assert chosen.left_to_torch()[0].reason == "no unit for aten.special_bessel_j0.default"


def test_dropout_in_training_is_left_and_says_why() -> None:
    g = graph((X,), (elementwise("a", "dropout.default", Ref("x"), 0.5, True),))
    assert "generator" in plan(captured(g), "fast").left_to_torch()[0].reason


def test_in_place_relu_on_an_intermediate_value_joins_the_chain() -> None:
    nodes = (
        elementwise("a", "add.Tensor", Ref("x"), 1.0),
        elementwise("r", "relu_.default", Ref("a")),
        elementwise("b", "mul.Tensor", Ref("a"), 2.0),  # reads the changed value
    )
    g = graph((X,), nodes)
    chosen = plan(captured(g), "minimal").eval.steps
    assert [(s.kind, s.nodes) for s in chosen] == [("kernel", ("a", "r", "b"))]
    assert chosen[0].kernel is not None
    assert "const float r_" in "\n".join(chosen[0].kernel.device)
    assert "r_ * 2.0f" in "\n".join(chosen[0].kernel.device)


def test_in_place_on_an_input_is_left_alone() -> None:
    g = graph((X,), (elementwise("r", "relu_.default", Ref("x")),))
    assert steps(g) == [("torch", ("r",), None)]


def test_sizes_nothing_reads_any_more_are_dropped() -> None:
    size = node("n", "aten.sym_size.int", Ref("x"), 0, out=value("n", dtype="int"))
    g = graph((X,), (size, elementwise("a", "relu.default", Ref("x"))))
    assert steps(g) == [("kernel", ("a",), "pointwise")]


@pytest.mark.parametrize("tier", ["minimal", "fast"])
def test_the_same_graph_gives_the_same_text(tier: str) -> None:
    g = graph((X,), (elementwise("a", "gelu.default", Ref("x")),))
    one, two = (plan(captured(g), tier) for _ in range(2))  # type: ignore[arg-type]
    assert one == two
