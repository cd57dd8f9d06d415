"""Questions that units ask of a graph."""

from __future__ import annotations

from cudasmith.model import Arg, Graph, Node, Ref


def argument(node: Node, position: int, name: str, default: Arg = None) -> Arg:
    """The argument given by position or keyword, or ATen's default."""
    if position < len(node.args):
        return node.args[position]
    return dict(node.kwargs).get(name, default)


def producer(graph: Graph, arg: Arg) -> Node | None:
    """The node that makes a Ref argument, or None (an input, a parameter, not a Ref)."""
    return graph.node(arg.name) if isinstance(arg, Ref) else None


def only_used_by(graph: Graph, name: str, nodes: tuple[str, ...]) -> bool:
    """True when every reader of `name` is among `nodes`, and it is not an output of the graph."""
    return all(u.name in nodes for u in graph.users(name)) and name not in output_names(graph.output)


def output_names(arg: Arg) -> tuple[str, ...]:
    """Names in a nested output."""
    if isinstance(arg, Ref):
        return (arg.name,)
    if isinstance(arg, tuple):
        return tuple(n for item in arg for n in output_names(item))
    return ()


def wrap_dim(dim: int, rank: int) -> int:
    """A dimension counted from the front. A scalar has one dimension, as PyTorch sees it."""
    return dim + max(rank, 1) if dim < 0 else dim


def ints(arg: Arg, count: int) -> tuple[int, ...] | None:
    """An ATen int-list argument spread to `count` entries; None when it is not made of plain ints."""
    items = arg if isinstance(arg, tuple) else (arg,)
    if not all(isinstance(i, int) and not isinstance(i, bool) for i in items):
        return None
    plain = tuple(i for i in items if isinstance(i, int))
    return plain * count if len(plain) == 1 else plain
