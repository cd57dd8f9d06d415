"""Small graphs made by hand, for tests that need no capture."""

from __future__ import annotations

from cudasmith.model import Arg, Capture, Graph, InputSpec, Node, Ref, Value


def value(name: str, *dims: str, dtype: str = "float32", size: int = 8) -> Value:
    shape = tuple(int(d) if d.isdigit() else size for d in dims)
    return Value(name, shape, dims, dtype)


def node(name: str, target: str, *args: Arg, out: Value | None = None, **kwargs: Arg) -> Node:
    return Node(name, target, args, tuple(kwargs.items()), out)


def graph(inputs: tuple[Value, ...], nodes: tuple[Node, ...], output: Arg | None = None) -> Graph:
    return Graph(inputs, (), nodes, output if output is not None else Ref(nodes[-1].name))


def captured(g: Graph) -> Capture:
    return Capture(
        inputs=tuple(InputSpec(v.name, v) for v in g.inputs),
        free_sizes=(("s0", 8, 2, 1 << 30), ("s1", 8, 2, 1 << 30)),
        init_literals=((), True),
        train=g,
        eval=g,
        state=(),
        forward_args=tuple(v.name for v in g.inputs),
        class_name="Model",
        same=True,
        dynamic=True,
    )
