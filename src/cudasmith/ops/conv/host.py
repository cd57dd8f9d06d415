"""Host functions of convolutions, as text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from cudasmith.model import HostParam, Ref, Tier, Value
from cudasmith.ops._families import dtypes, host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._families.pointwise import identifier
from cudasmith.ops.conv.pattern import Conv

TILE, DEPTHWISE = "conv_block_per_tile", "conv_depthwise_thread_per_column"
PLAIN, TRANSPOSED = "conv_thread_per_output", "conv_transpose_thread_per_output"
_MAX_TAPS = 512  # the tile kernel's table of taps stays below 8 KiB of shared memory
_MAX_PLANE = 49  # the depthwise kernel keeps a plane of weights in registers


@attrs.frozen
class Launch:
    """`constants`: the kernel's leading template arguments; `count`: what its last argument counts, a host
    expression; `setup`: host lines in front; `blocks` and `threads`: the grid."""

    kernel: str
    constants: tuple[str, ...]
    setup: tuple[str, ...]
    count: str
    blocks: str
    threads: int = 256


def choose(conv: Conv, tier: Tier) -> str:
    """The kernel for `conv`: the tile kernel where its 16 or more channels do not idle."""
    outs, ins, taps = conv.outs, conv.ins, conv.taps
    direct = TRANSPOSED if conv.transposed else PLAIN
    if tier == "minimal" or outs is None or ins is None or taps is None:
        return direct
    if ins == 1 and not conv.transposed and outs < 16 and _column_fits(conv):
        return DEPTHWISE
    return TILE if outs > 1 and taps <= _MAX_TAPS else direct


def _column_fits(conv: Conv) -> bool:
    kh, kw, sh, dh, high = _column(conv)
    return kh * kw <= _MAX_PLANE and (high - 1) * sh + (kh - 1) * dh < 40


def _column(conv: Conv) -> tuple[int, int, int, int, int]:
    """KH, KW, SH, DH, TH of the depthwise kernel; in 1-d there is nothing below."""
    kernel = [k or 1 for k in _axes(conv.kernel, 1)]
    return (
        kernel[1],
        kernel[2],
        _axes(conv.stride, 1)[1],
        _axes(conv.dilation, 1)[1],
        4 if conv.rank > 1 else 1,
    )


def _axes(values: Sequence[int | None], missing: int) -> list[int]:
    """Three axes: the missing leading ones filled in."""
    return [missing] * (3 - len(values)) + [missing if v is None else v for v in values]


def launch(conv: Conv, tier: Tier) -> Launch:
    """Grid, template arguments and counts of the chosen kernel."""
    kernel = choose(conv, tier)
    if kernel == TILE:
        return _tile(conv)
    if kernel == DEPTHWISE:
        constants = _column(conv)
        count = (
            "out.numel()"
            if constants[-1] == 1
            else f"out.numel() / conv_shape.out[1] * ((conv_shape.out[1] + {constants[-1] - 1}) / {constants[-1]})"
        )
        setup = (f"const int64_t conv_threads = {count};",)
        return Launch(kernel, tuple(map(str, constants)), setup, "conv_threads", "(conv_threads + 255) / 256")
    return Launch(kernel, (), (), "out.numel()", "(out.numel() + 255) / 256")


def tile_width(outs: int) -> int:
    """Channels per block: the width with the fewest idle ones; 16 stands for the cost of reading x again."""
    return min((128, 64, 32, 16), key=lambda width: (-(-outs // width) * (width + 16), -width))


def _tile(conv: Conv) -> Launch:
    outs = conv.outs or 1
    width, phases = tile_width(outs), math.prod(conv.stride) if conv.transposed else 1
    per_thread = 4 if width == 16 else 8
    positions = per_thread * 2048 // width
    bounded = conv.transposed or any(conv.padded)
    constants = (width, per_thread, conv.taps, str(bounded).lower(), str(conv.transposed).lower())
    axes = [
        f"conv_shape.out[{i}]"
        if not conv.transposed or s == 1
        else f"((conv_shape.out[{i}] + {s - 1}) / {s})"
        for i, s in enumerate(_axes(conv.stride, 1))
    ]
    blocks = [f"conv_tiles * {phases * conv.groups * -(-outs // width)}"]
    setup = (
        f"const int64_t conv_tiles = (conv_shape.batch * {' * '.join(axes)} + {positions - 1}) / {positions};",
        "for (const auto* conv_axes : {conv_shape.in, conv_shape.out}) {",
        '  TORCH_CHECK(conv_axes[0] * conv_axes[1] * conv_axes[2] <= INT32_MAX, "one image has 2^31 or more positions");',
        "}",
    )
    return Launch(TILE, tuple(map(str, constants)), setup, "conv_tiles", blocks[0])


def params(conv: Conv, load: Load, store: Store) -> tuple[HostParam, ...]:
    own = [HostParam("torch::Tensor", identifier(v.name), Ref(v.name)) for v in _own(conv)]
    return host.unique_params(load.params, tuple(own), store.params)


def _own(conv: Conv) -> list[Value]:
    return [v for v in (conv.weight, conv.bias) if v is not None]


def body(conv: Conv, tier: Tier, load: Load, store: Store) -> list[str]:
    """The lines between the signature and the closing brace."""
    grid = launch(conv, tier)
    own = [identifier(v.name) for v in _own(conv)]
    checks = [f'{t} = checked({t}, {dtypes.torch_constant(conv.weight.dtype)}, "{t}");' for t in own]
    return [
        *load.checks,
        *checks,
        f"const c10::cuda::CUDAGuard guard({load.like}.device());",
        *_output(conv, load, store, own[0]),
        "if (out.numel() == 0) return out;",
        *_shape(conv, load.like, own[0]),
        *grid.setup,
        *_call(conv, grid, load, store, own),
        "C10_CUDA_KERNEL_LAUNCH_CHECK();",
        "return out;",
    ]


def _output(conv: Conv, load: Load, store: Store, weight: str) -> list[str]:
    """`out`, and a check that the operands fit."""
    x = load.like
    first = 1 if conv.batched else 0
    channels = f"{weight}.size({1 if conv.transposed else 0})" + (
        f" * {conv.groups}" if conv.transposed and conv.groups > 1 else ""
    )
    inner = (
        f"{weight}.size(0)"
        if conv.transposed
        else f"{weight}.size(1)" + (f" * {conv.groups}" if conv.groups > 1 else "")
    )
    lengths = [_length(conv, i, f"{x}.size({first + 1 + i})", weight) for i in range(conv.rank)]
    fits = [f"{x}.size({first}) == {inner}"]
    fits += [_at_least(conv, i, f"{x}.size({first + 1 + i})", weight) for i in range(conv.rank)]
    parts = ([f"{x}.size(0)"] if conv.batched else []) + [channels, *lengths]
    return [
        f'TORCH_CHECK({" && ".join(f for f in fits if f)}, "sizes do not fit the weight: ", {x}.sizes());',
        *host.allocate_as(load, store, f"{{{', '.join(parts)}}}"),
    ]


def _reach(conv: Conv, axis: int, weight: str) -> tuple[str, int]:
    """dilation * (kernel - 1) as a run-time term and a constant."""
    k, d = conv.kernel[axis], conv.dilation[axis]
    size = f"{weight}.size({axis + 2})" if d == 1 else f"{d} * {weight}.size({axis + 2})"
    return (size, -d) if k is None else ("", d * (k - 1))


def _plus(text: str, number: int) -> str:
    return text if number == 0 else f"{text} {'+' if number > 0 else '-'} {abs(number)}"


def _length(conv: Conv, axis: int, size: str, weight: str) -> str:
    """The output's size along one axis."""
    term, reach = _reach(conv, axis, weight)
    stride, padded = conv.stride[axis], conv.padded[axis]
    if conv.transposed:
        scaled = f"({size} - 1) * {stride}" if stride > 1 else size
        scaled += f" + {term}" if term else ""
        return _plus(scaled, reach - padded + conv.extra[axis] + (1 if stride > 1 else 0))
    span = _plus(size + (f" - {term}" if term else ""), padded - reach - (1 if stride > 1 else 0))
    return f"({span}) / {stride} + 1" if stride > 1 else span


def _at_least(conv: Conv, axis: int, size: str, weight: str) -> str:
    """The kernel fits into the padded input (a plain convolution only)."""
    term, reach = _reach(conv, axis, weight)
    if conv.transposed or (not term and reach <= conv.padded[axis]):
        return ""
    return f"{_plus(size, conv.padded[axis])} > {_plus(term, reach) if term else reach}"


def _shape(conv: Conv, x: str, weight: str) -> list[str]:
    first = 1 if conv.batched else 0
    kernel = [str(k) if k is not None else f"{weight}.size({i + 2})" for i, k in enumerate(conv.kernel)]
    ones = ["1"] * (3 - conv.rank)
    fields: list[list[str] | list[int]] = [
        ones + [f"{x}.size({first + 1 + i})" for i in range(conv.rank)],
        ones + [f"out.size({first + 1 + i})" for i in range(conv.rank)],
        ones + kernel,
        _axes(conv.stride, 1),
        _axes(conv.padding, 0),
        _axes(conv.dilation, 1),
    ]
    batch = f"{x}.size(0)" if conv.batched else "1"
    lists = [f"{{{', '.join(str(v) for v in field)}}}" for field in fields]
    return [
        f"const ConvShape conv_shape = {{{batch}, {x}.size({first}), out.size({first}), {conv.groups}, {int(conv.bias is not None)},",
        f"    {', '.join(lists)}}};",
    ]


def _call(conv: Conv, grid: Launch, load: Load, store: Store, own: list[str]) -> list[str]:
    """The launch, with 32-bit indices where every tensor is small enough. Weight and bias are read as x is."""
    narrow, wide = (
        f"{grid.kernel}<{', '.join((*grid.constants, index, load.name, store.name))}>"
        for index in ("int", "int64_t")
    )
    pointers = [f"{load.name}{{{dtypes.data_ptr(t, conv.weight.dtype)}}}" for t in own]
    pointers += [f"{load.name}{{nullptr}}"] if len(pointers) == 1 else []
    return [
        f"const auto conv_kernel = {' && '.join(f'{t}.numel() <= INT32_MAX' for t in (load.like, own[0], 'out'))}",
        f"    ? {narrow} : {wide};",
        f"conv_kernel<<<{grid.blocks}, {grid.threads}, 0, c10::cuda::getCurrentCUDAStream()>>>(",
        f"    {load.construct}, {', '.join(pointers)}, {store.construct}, conv_shape, {grid.count});",
    ]
