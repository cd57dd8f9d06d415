"""Convolutions in one, two and three dimensions, plain and transposed, grouped, dilated, padded with zeros."""

from __future__ import annotations

from cudasmith.model import Graph, Kernel, Node, Tier
from cudasmith.ops import kernel_text
from cudasmith.ops._families import host as common
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._unit import Match, OpCase, Refusal, Unit
from cudasmith.ops.conv import host as text
from cudasmith.ops.conv.cases import CASES
from cudasmith.ops.conv.pattern import Conv, find


class ConvUnit(Unit):
    name = "conv"
    variants = {"minimal": text.PLAIN, "fast": text.TILE}

    def match(self, graph: Graph, node: Node) -> Match | Refusal | None:
        conv = find(graph, node)
        if conv is None or isinstance(conv, Refusal):
            return conv
        assert node.value is not None
        pixels = node.value if not conv.transposed else conv.x
        channels = pixels.shape[-conv.rank - 1]
        others = [v.name for v in (conv.weight, conv.bias) if v is not None]
        return Match(
            root=node.name,
            nodes=(node.name,),
            main=conv.x.name,
            output=node.value,
            outputs=(node.name,),
            others=tuple(dict.fromkeys(others)),
            terms=_terms(conv),
            flops=2 * (pixels.numel // max(1, channels)) * conv.weight.numel,
            attrs={"fn": _title(conv), "conv": conv},
        )

    def variant(self, graph: Graph, match: Match, tier: Tier) -> str:
        return text.choose(match.attrs["conv"], tier)

    def kernel(self, graph: Graph, match: Match, tier: Tier, fn: str, load: Load, store: Store) -> Kernel:
        conv: Conv = match.attrs["conv"]
        params = text.params(conv, load, store)
        body = text.body(conv, tier, load, store)
        definition = common.signature("torch::Tensor", fn, params) + "\n" + common.body(body)
        device = _device(text.choose(conv, tier))
        return Kernel(fn, device, definition, params, "torch::Tensor", _doc(conv))

    def cases(self) -> tuple[OpCase, ...]:
        return CASES


def _device(kernel: str) -> tuple[str, ...]:
    """The chunks that this kernel needs, in file order."""
    shape, *direct = kernel_text("conv", "minimal.cu")
    if kernel in (text.PLAIN, text.TRANSPOSED):
        return (shape, *(c for c in direct if f"{kernel}(" in c))
    fast = kernel_text("conv", "fast.cu")
    if kernel == text.TILE:
        return (shape, *(c for c in fast if text.DEPTHWISE not in c))
    return (shape, *(c for c in fast if "take_digit(index_t&" in c or text.DEPTHWISE in c))


def _terms(conv: Conv) -> str:
    """Products behind one output element; transposed: the most, were the stride 1."""
    dims = (conv.weight.dims[0 if conv.transposed else 1], *conv.weight.dims[2:])
    groups = conv.groups if conv.transposed else 1
    if all(d.isdigit() for d in dims):
        n = 1
        for d in dims:
            n *= int(d)
        return str(max(1, n // groups))
    return " * ".join(f"({d})" for d in dims)


def _title(conv: Conv) -> str:
    return f"conv_transpose{conv.rank}d" if conv.transposed else f"conv{conv.rank}d"


def _doc(conv: Conv) -> str:
    sizes = "x".join("?" if k is None else str(k) for k in conv.kernel)
    words = [
        f"{conv.rank}-d",
        "transposed convolution" if conv.transposed else "convolution",
        f"kernel {sizes}",
    ]
    return ", ".join([" ".join(words[:2]), words[2]] + ([f"{conv.groups} groups"] if conv.groups > 1 else []))


UNIT = ConvUnit()
__all__ = ["UNIT"]
