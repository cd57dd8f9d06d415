"""Reads pooling nodes: which reduction, over which windows."""

from __future__ import annotations

import re

import attrs

from cudasmith.model import Arg, Graph, Node, Ref, Value
from cudasmith.ops._families import dtypes
from cudasmith.ops._families.patterns import argument, ints

_TARGET = re.compile(r"aten\.(adaptive_)?(max|avg)_pool([123])d(_with_indices)?\.default")


@attrs.frozen
class Window:
    """A sliding window along one axis."""

    kernel: int
    stride: int
    padding: int = 0
    dilation: int = 1

    @property
    def extent(self) -> int:
        return (self.kernel - 1) * self.dilation + 1


@attrs.frozen
class Pool:
    """A pooling of `main` over its last `rank` dimensions.

    `windows`: one per dimension; empty when `outputs` says into how many parts each is divided (a
    number, or the name of one computed before; None keeps the size). `divisor`: 0 when it depends on
    the place of the window.
    """

    main: Value
    op: str  # "max" | "mean"
    rank: int
    windows: tuple[Window, ...] = ()
    ceil: bool = False
    outputs: tuple[int | Ref | None, ...] = ()
    padded: bool = True
    divisor: int = 0
    tuple_result: bool = False

    @property
    def window_elements(self) -> int:
        count = 1
        for window in self.windows:
            count *= window.kernel
        return count


def find(graph: Graph, node: Node) -> Pool | str | None:
    """The pooling that `node` is; why there is no kernel for it; None when it is no pooling."""
    found = _TARGET.fullmatch(node.target)
    if found is None:
        return None
    main = graph.value(node.args[0].name) if isinstance(node.args[0], Ref) else None
    if main is None or not dtypes.known(main.dtype) or not dtypes.is_float(main.dtype):
        return f"pooling of {main.dtype if main else 'no tensor'}"
    rank = int(found[3])
    op = "max" if found[2] == "max" else "mean"
    pairs = bool(found[4]) or (bool(found[1]) and op == "max")
    if found[1]:
        outputs = _parts(argument(node, 1, "output_size"), rank)
        if outputs is None:
            return "pooling to sizes that are no numbers"
        return Pool(main, op, rank, outputs=outputs, tuple_result=pairs)
    return _sliding(node, main, op, rank, pairs)


def _parts(arg: Arg, rank: int) -> tuple[int | Ref | None, ...] | None:
    items = arg if isinstance(arg, tuple) else (arg,)
    kept = tuple(i for i in items if i is None or isinstance(i, (int, Ref)))
    if len(kept) != len(items) or len(items) not in (1, rank):
        return None
    return kept * rank if len(kept) == 1 else kept


def _sliding(node: Node, main: Value, op: str, rank: int, pairs: bool) -> Pool | str:
    kernel = ints(argument(node, 1, "kernel_size"), rank)
    stride = ints(argument(node, 2, "stride", ()) or argument(node, 1, "kernel_size"), rank)
    padding = ints(argument(node, 3, "padding", 0), rank)
    dilation = ints(argument(node, 4, "dilation", 1) if op == "max" else 1, rank)
    ceil = argument(node, 5 if op == "max" else 4, "ceil_mode", False)
    if kernel is None or stride is None or padding is None or dilation is None:
        return "pooling over windows whose sizes are no numbers"
    windows = tuple(Window(*w) for w in zip(kernel, stride, padding, dilation, strict=True))
    pool = Pool(main, op, rank, windows, bool(ceil), tuple_result=pairs)
    if op == "max":
        return pool
    padded = bool(argument(node, 5, "count_include_pad", True)) or not any(padding)
    override = argument(node, 6, "divisor_override")
    divisor = override if isinstance(override, int) else 0
    if not divisor and padded and not ceil:
        divisor = pool.window_elements
    return attrs.evolve(pool, padded=padded, divisor=divisor)


def results(graph: Graph, pool: Pool, node: Node) -> tuple[str, ...] | None:
    """Names later nodes read: the values, then the indices ("" where unread); None if read otherwise."""
    if not pool.tuple_result:
        return (node.name,)
    users = graph.users(node.name)
    members = {n.args[1]: n.name for n in users if n.target == "operator.getitem"}
    if len(members) != len(users) or len(node.values) != 2:
        return None
    values = members.get(0, "")
    return (values, members[1]) if 1 in members else (values,)
