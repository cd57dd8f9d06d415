"""Arguments, sizes and choice of kernel of the convolution unit."""

from __future__ import annotations

import itertools
import re

import pytest
import torch
import torch.nn.functional as F

from cudasmith.model import Arg, Graph, Node, Ref
from cudasmith.ops import Match, Refusal, kernel_text, unit
from cudasmith.ops.conv import host
from cudasmith.ops.conv.pattern import Conv, find
from graphs import graph, node, value

X, W, B = Ref("x"), Ref("w"), Ref("b")


def _graph(
    target: str, weight: tuple[str, ...], *args: Arg, dtype: str = "float32", x: tuple[str, ...] | None = None
) -> tuple[Graph, Node]:
    sizes = x or ("s0", "6", *("s1",) * (len(weight) - 2))
    call = node("y", target, *args, out=value("y", *sizes, dtype=dtype))
    operands = (
        value("x", *sizes, dtype=dtype),
        value("w", *weight, dtype=dtype),
        value("b", weight[0], dtype=dtype),
    )
    return graph(operands, (call,)), call


def _conv(target: str, weight: tuple[str, ...], *args: Arg, x: tuple[str, ...] | None = None) -> Conv:
    found = find(*_graph(target, weight, *args, x=x))
    assert isinstance(found, Conv)
    return found


def _length(conv: Conv, size: int, kernel: int) -> int:
    """The host's expression for one axis of the output, evaluated."""
    text = host._length(conv, 0, "x.size(2)", "w")
    text = text.replace("x.size(2)", str(size)).replace("w.size(2)", str(kernel)).replace("/", "//")
    return int(eval(text))


AXES = list(itertools.product((7, 10, 16), (1, 2, 3), (0, 1, 2), (1, 2)))


@pytest.mark.parametrize("kernel", [1, 2, 3, 4])
@pytest.mark.parametrize("known", [True, False])
def test_the_output_has_the_length_that_pytorch_gives(kernel: int, known: bool) -> None:
    dims = ("4", "6", str(kernel) if known else "s2")
    for size, *rest in AXES:
        stride, padding, dilation = rest
        conv = _conv("aten.conv1d.default", dims, X, W, None, (stride,), (padding,), (dilation,))
        given = F.conv1d(torch.zeros(1, 6, size), torch.zeros(4, 6, kernel), None, stride, padding, dilation)
        assert _length(conv, size, kernel) == given.shape[2], (size, *rest)


@pytest.mark.parametrize("kernel", [1, 2, 3, 4])
@pytest.mark.parametrize("extra", [0, 1])
def test_the_transposed_output_has_the_length_that_pytorch_gives(kernel: int, extra: int) -> None:
    dims = ("6", "4", str(kernel))
    for size, stride, padding, dilation in AXES:
        if extra >= max(stride, dilation):
            continue  # PyTorch refuses it
        args = ((stride,), (padding,), (extra,), 1, (dilation,))
        conv = _conv("aten.conv_transpose1d.default", dims, X, W, None, *args)
        given = F.conv_transpose1d(torch.zeros(1, 6, size), torch.zeros(6, 4, kernel), None, *args)
        assert _length(conv, size, kernel) == given.shape[2], (size, stride, padding, dilation)


def test_same_padding_puts_the_odd_zero_behind() -> None:
    conv = _conv("aten.conv2d.padding", ("4", "6", "4", "3"), X, W, None, (1, 1), "same", (1, 2))
    assert (conv.padding, conv.padded) == ((1, 2), (3, 4))


def test_valid_padding_is_none() -> None:
    assert _conv("aten.conv3d.padding", ("4", "6", "2", "2", "2"), X, W).padded == (0, 0, 0)


def test_the_three_spellings_of_a_transposed_convolution_agree() -> None:
    weight = ("6", "2", "3", "5")
    short = _conv("aten.conv_transpose2d.input", weight, X, W, None, (2, 3), (1, 2), (1, 0), 2, (1, 2))
    general = _conv("aten.convolution.default", weight, X, W, None, (2, 3), (1, 2), (1, 2), True, (1, 0), 2)
    assert short == general
    assert (short.ins, short.outs, short.extra) == (3, 2, (1, 0))


def test_an_input_without_batch_is_seen_as_one() -> None:
    assert not _conv("aten.conv2d.default", ("4", "6", "3", "3"), X, W, B, x=("6", "s0", "s1")).batched


@pytest.mark.parametrize("dtype", ["int64", "int8", "complex64", "bool"])
def test_a_convolution_that_is_not_of_floats_is_refused(dtype: str) -> None:
    found = find(*_graph("aten.conv1d.default", ("4", "6", "3"), X, W, dtype=dtype))
    assert isinstance(found, Refusal)
    assert dtype in found.reason


def test_a_padding_read_at_run_time_is_refused() -> None:
    found = find(*_graph("aten.conv1d.default", ("4", "6", "3"), X, W, None, (1,), (Ref("p"),)))
    assert isinstance(found, Refusal)


@pytest.mark.parametrize(
    ("target", "weight", "groups", "kernel"),
    [
        ("aten.conv2d.default", ("64", "6", "3", "3"), 1, host.TILE),
        ("aten.conv2d.default", ("6", "1", "3", "3"), 6, host.DEPTHWISE),
        ("aten.conv2d.default", ("6", "1", "9", "9"), 6, host.PLAIN),
        ("aten.conv2d.default", ("1", "6", "3", "3"), 1, host.PLAIN),
        ("aten.conv2d.default", ("64", "6", "s2", "s2"), 1, host.PLAIN),
        ("aten.conv_transpose2d.input", ("6", "1", "3", "3"), 6, host.TRANSPOSED),
        ("aten.conv_transpose2d.input", ("6", "8", "3", "3"), 1, host.TILE),
    ],
)
def test_the_fast_kernel_follows_from_the_weight(
    target: str, weight: tuple[str, ...], groups: int, kernel: str
) -> None:
    transposed = "transpose" in target
    tail: tuple[Arg, ...] = (0, groups, 1) if transposed else (1, groups)
    conv = _conv(target, weight, X, W, None, 1, 0, *tail)
    assert host.choose(conv, "fast") == kernel
    assert host.choose(conv, "minimal") == (host.TRANSPOSED if transposed else host.PLAIN)


@pytest.mark.parametrize(
    ("outs", "width"),
    [(2, 16), (16, 16), (17, 32), (32, 32), (48, 64), (64, 64), (96, 128), (128, 128), (300, 64)],
)
def test_tiles_are_as_wide_as_the_channels_fill(outs: int, width: int) -> None:
    assert host.tile_width(outs) == width


def test_flops_count_each_product_once() -> None:
    g, call = _graph("aten.conv1d.default", ("4", "6", "3"), X, W, x=("10", "6", "8"))
    match = unit("conv").match(g, call)
    assert isinstance(match, Match)
    assert match.flops == 2 * (10 * 8) * (4 * 6 * 3)
    assert match.terms == "18"


def test_kernels_are_named_for_their_mapping() -> None:
    text = "\n".join((*kernel_text("conv", "minimal.cu"), *kernel_text("conv", "fast.cu")))
    names = re.findall(r"__global__ void(?: __launch_bounds__\(.*\))?\s+(\w+)\(", text)
    assert sorted(names) == sorted((host.PLAIN, host.TRANSPOSED, host.TILE, host.DEPTHWISE))
