"""Work: roughly how many multiply-adds and elements one forward costs, from a Capture alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cudasmith.model import Arg, Capture, Graph, Node, Ref, Value
from cudasmith.model.expression import evaluate

_CONTRACTIONS = ("mm", "bmm", "addmm", "baddbmm", "matmul", "linear", "addmv", "mv", "dot", "einsum")


def work(capture: Capture, sizes: Mapping[str, int]) -> int:
    """Elements read and made, each made one times the terms behind it, in the costlier mode."""
    return max(_graph_work(g, sizes) for g in (capture.train, capture.eval))


def _graph_work(graph: Graph, sizes: Mapping[str, int]) -> int:
    total = sum(_numel(v, sizes) for v in graph.inputs)
    for node in graph.nodes:
        made = [v for v in (node.value, *node.values) if v is not None]
        total += sum(_numel(v, sizes) for v in made) * _fan_in(graph, node, sizes)
    return total


def _shape(value: Value, sizes: Mapping[str, int]) -> tuple[int, ...]:
    dims = zip(value.dims, value.shape, strict=True)
    return tuple(own if (n := evaluate(d, sizes)) is None else n for d, own in dims)


def _numel(value: Value, sizes: Mapping[str, int]) -> int:
    return math.prod(_shape(value, sizes))


def _fan_in(graph: Graph, node: Node, sizes: Mapping[str, int]) -> int:
    """Terms behind one output element, for the few operators where it is far from one."""
    name = node.target.split(".")[1] if "." in node.target else node.target
    values = [v for a in node.args if (v := _operand(graph, a)) is not None]
    if "conv" in name and len(values) > 1:
        weight = _shape(values[1], sizes)
        return max(1, math.prod(weight[1:]))
    if "pool" in name and len(node.args) > 1:
        return _window(node.args[1], len(values[0].dims) if values else 2)
    if name in _CONTRACTIONS and values:
        shape = _shape(values[-2] if name in ("addmm", "baddbmm") and len(values) > 1 else values[0], sizes)
        return shape[-1] if shape else 1
    if "attention" in name and len(values) > 1:
        key = _shape(values[1], sizes)
        return 2 * key[-2] if len(key) > 1 else 1
    return 1


def _operand(graph: Graph, arg: Arg) -> Value | None:
    return graph.value(arg.name) if isinstance(arg, Ref) else None


def _window(kernel: Arg, rank: int) -> int:
    if isinstance(kernel, tuple) and all(isinstance(k, int) for k in kernel):
        sides = [k for k in kernel if isinstance(k, int)]
        return int(math.prod(sides) ** (max(1, rank - 2) if len(sides) == 1 else 1))
    return int(kernel ** max(1, rank - 2)) if isinstance(kernel, int) and not isinstance(kernel, bool) else 1
