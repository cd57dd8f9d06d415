"""Recognises the convolution operators of ATen and spells their arguments in one way."""

from __future__ import annotations

import attrs

from cudasmith.model import Arg, Graph, Node, Ref, Value
from cudasmith.ops._families import dtypes
from cudasmith.ops._families.patterns import argument, ints
from cudasmith.ops._unit import Refusal

PLAIN = tuple(f"aten.conv{rank}d.{overload}" for rank in (1, 2, 3) for overload in ("default", "padding"))
TRANSPOSED = (
    "aten.conv_transpose1d.default",
    "aten.conv_transpose2d.input",
    "aten.conv_transpose3d.input",
)
GENERAL = "aten.convolution.default"


@attrs.frozen
class Conv:
    """One convolution. Per axis, in tensor order: `kernel` (None: known at run time only), `stride`,
    `padding` in front and `padded` in front and behind, `dilation`, `extra` (output_padding)."""

    x: Value
    weight: Value
    bias: Value | None
    transposed: bool
    kernel: tuple[int | None, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    padded: tuple[int, ...]
    dilation: tuple[int, ...]
    extra: tuple[int, ...]
    groups: int

    @property
    def rank(self) -> int:
        """Number of axes the kernel slides along."""
        return len(self.kernel)

    @property
    def batched(self) -> bool:
        return len(self.x.dims) == self.rank + 2

    @property
    def taps(self) -> int | None:
        """Elements of the kernel for one channel pair, where they are known."""
        n = 1
        for k in self.kernel:
            if k is None:
                return None
            n *= k
        return n

    def channels(self, axis: int) -> int | None:
        """Size of the weight along its first or second axis, where it is known."""
        dim = self.weight.dims[axis]
        return int(dim) if dim.isdigit() else None

    @property
    def outs(self) -> int | None:
        """Output channels of one group, where they are known."""
        n = self.channels(1 if self.transposed else 0)
        return n if n is None or self.transposed else n // self.groups

    @property
    def ins(self) -> int | None:
        """Input channels of one group, where they are known."""
        n = self.channels(0 if self.transposed else 1)
        return n // self.groups if n is not None and self.transposed else n


def find(graph: Graph, node: Node) -> Conv | Refusal | None:
    """The convolution `node` computes; None when it is none."""
    if node.target not in (*PLAIN, *TRANSPOSED, GENERAL):
        return None
    x, weight, bias = (
        _tensor(graph, argument(node, i, n)) for i, n in enumerate(("input", "weight", "bias"))
    )
    if x is None or weight is None or node.value is None:
        return Refusal("an operand that is not a tensor of the graph")
    if not dtypes.is_float(x.dtype) or weight.dtype != x.dtype:
        return Refusal(f"convolution of {x.dtype} by {weight.dtype}")
    rank = len(weight.dims) - 2
    if node.target == GENERAL:
        transposed = argument(node, 6, "transposed") is True
        order = (3, 4, 5, 7, 8) if rank else ()
    else:
        transposed = node.target in TRANSPOSED
        order = (3, 4, 7, 5, 6) if transposed else (3, 4, 5, -1, 6)
    return _spell(node, x, weight, bias, transposed, order)


def _tensor(graph: Graph, arg: Arg) -> Value | None:
    return graph.value(arg.name) if isinstance(arg, Ref) else None


def _spell(
    node: Node, x: Value, weight: Value, bias: Value | None, transposed: bool, order: tuple[int, ...]
) -> Conv | Refusal:
    """Positions in `order`: stride, padding, dilation, output_padding (-1: none), groups."""
    rank = len(weight.dims) - 2
    kernel = tuple(int(d) if d.isdigit() else None for d in weight.dims[2:])
    stride = _each(argument(node, order[0], "stride", 1), rank)
    dilation = _each(argument(node, order[2], "dilation", 1), rank)
    extra = (0,) * rank if order[3] < 0 else _each(argument(node, order[3], "output_padding", 0), rank)
    groups = argument(node, order[4], "groups", 1)
    if stride is None or dilation is None or extra is None or not isinstance(groups, int):
        return Refusal("stride, dilation or groups that change at run time")
    front, both = _padding(argument(node, order[1], "padding", 0), kernel, dilation)
    if front is None or both is None:
        return Refusal("padding that changes at run time")
    return Conv(x, weight, bias, transposed, kernel, stride, front, both, dilation, extra, groups)


def _each(arg: Arg, rank: int) -> tuple[int, ...] | None:
    found = ints(arg, rank)
    return found if found is not None and len(found) == rank else None


def _padding(
    arg: Arg, kernel: tuple[int | None, ...], dilation: tuple[int, ...]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Zeros in front, and in front and behind together. "same" puts the odd one behind."""
    if arg == "valid":
        arg = 0
    if arg == "same":
        total = tuple(d * (k - 1) for k, d in zip(kernel, dilation, strict=True) if k is not None)
        known = len(total) == len(kernel)
        return (tuple(t // 2 for t in total), total) if known else (None, None)
    front = _each(arg, len(kernel))
    return front, None if front is None else tuple(2 * p for p in front)


__all__ = ["Conv", "find"]
