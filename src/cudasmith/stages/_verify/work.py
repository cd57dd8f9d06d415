"""Work: roughly how many multiply-adds and elements one forward costs, from a Capture alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

import attrs

from cudasmith.model import Arg, Capture, Graph, Node, Ref, Value
from cudasmith.model.expression import evaluate

_CONTRACTIONS = ("mm", "bmm", "addmm", "baddbmm", "matmul", "linear", "addmv", "mv", "dot", "einsum")


@attrs.frozen
class Work:
    """Elements read and made; operations: each element made times the terms behind it."""

    elements: int
    operations: int

    def within(self, limit: Work, times: int = 1) -> bool:
        return self.elements <= times * limit.elements and self.operations <= times * limit.operations


def work(capture: Capture, sizes: Mapping[str, int]) -> Work:
    """The work of one forward, in the costlier mode."""
    graphs = (capture.train, capture.eval)
    return max((_graph_work(g, sizes) for g in graphs), key=lambda w: (w.operations, w.elements))


def fan_in(graph: Graph, sizes: Mapping[str, int]) -> int:
    """Terms behind one output, as far as the graph's contractions and reductions tell; at least 0."""
    return sum(max(_fan_in(graph, n, sizes), _reduced(graph, n, sizes)) for n in graph.nodes)


def _graph_work(graph: Graph, sizes: Mapping[str, int]) -> Work:
    elements = sum(_numel(v, sizes) for v in graph.inputs)
    operations = elements
    for node in graph.nodes:
        made = sum(_numel(v, sizes) for v in (node.value, *node.values) if v is not None)
        elements += made
        operations += made * _fan_in(graph, node, sizes)
    return Work(elements, operations)


def _reduced(graph: Graph, node: Node, sizes: Mapping[str, int]) -> int:
    """How many times fewer elements come out than go in."""
    read = [_numel(v, sizes) for name in node.refs() if (v := graph.value(name)) is not None]
    made = [_numel(v, sizes) for v in (node.value, *node.values) if v is not None]
    return max(read, default=0) // max(1, *made) if made else 0


def _shape(value: Value, sizes: Mapping[str, int]) -> tuple[int, ...]:
    dims = zip(value.dims, value.shape, strict=True)
    return tuple(own if (n := evaluate(d, sizes)) is None else n for d, own in dims)


def _numel(value: Value, sizes: Mapping[str, int]) -> int:
    return math.prod(max(0, d) for d in _shape(value, sizes))


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
