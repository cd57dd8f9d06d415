"""In-place elementwise operators on intermediate values, rewritten as what they return."""

from __future__ import annotations

import attrs

from cudasmith.model import Arg, Graph, Node, Ref
from cudasmith.ops._families.elementwise import SPECIAL, TABLE

_VIEWS = frozenset(
    [
        "view",
        "reshape",
        "select",
        "slice",
        "narrow",
        "transpose",
        "permute",
        "expand",
        "unsqueeze",
        "squeeze",
        "flatten",
        "unflatten",
        "chunk",
        "split",
        "t",
        "diagonal",
        "as_strided",
        "detach",
        "alias",
        "getitem",
        "unbind",
        "swapaxes",
        "movedim",
        "view_as",
        "expand_as",
        "contiguous",
        "to",
    ]
)


def functionalise(graph: Graph) -> Graph:
    """`relu_(t)` becomes `relu(t)` where `t` is an intermediate value that no view shares, and later
    readers of `t` read the new value. Anything else in place is left alone."""
    renamed: dict[str, str] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = _rename(node, renamed)
        target = _pure_target(graph, node)
        if target is not None:
            base = node.args[0]
            assert isinstance(base, Ref)
            renamed = {k: (node.name if v == base.name else v) for k, v in renamed.items()}
            renamed[base.name] = node.name
            node = attrs.evolve(node, target=target)
        nodes.append(node)
    return attrs.evolve(graph, nodes=tuple(nodes), output=_swap(graph.output, renamed))


def _pure_target(graph: Graph, node: Node) -> str | None:
    """The functional spelling of an in-place operator that may be rewritten."""
    parts = node.target.split(".")
    if len(parts) < 3 or not parts[1].endswith("_") or not node.args or not isinstance(node.args[0], Ref):
        return None
    name = parts[1].removesuffix("_")
    made_by = graph.node(node.args[0].name)
    if (name not in TABLE and name not in SPECIAL) or made_by is None or _is_view(made_by):
        return None
    value = made_by.value
    if value is None or node.value is None or value.dtype != node.value.dtype:
        return None
    if any(_is_view(user) for user in graph.users(made_by.name)):
        return None
    return f"aten.{name}.{parts[2]}"


def _is_view(node: Node) -> bool:
    parts = node.target.split(".")
    return len(parts) > 1 and parts[1] in _VIEWS


def _rename(node: Node, renamed: dict[str, str]) -> Node:
    kwargs = tuple((k, _swap(v, renamed)) for k, v in node.kwargs)
    args = tuple(_swap(a, renamed) for a in node.args)
    return attrs.evolve(node, args=args, kwargs=kwargs)


def _swap(arg: Arg, renamed: dict[str, str]) -> Arg:
    if isinstance(arg, Ref):
        return Ref(renamed.get(arg.name, arg.name))
    if isinstance(arg, tuple):
        return tuple(_swap(a, renamed) for a in arg)
    return arg
