"""The host functions of pooling, as text."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cudasmith.model import HostParam, Ref
from cudasmith.ops._families import host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.pattern import Pool, Window

_STREAM = "c10::cuda::getCurrentCUDAStream()"
_CHECK = "C10_CUDA_KERNEL_LAUNCH_CHECK();"


@attrs.frozen
class Form:
    """What the text depends on. `value`: the C++ compute type; `indices`: the second output is wanted."""

    pool: Pool
    value: str
    indices: bool = False

    @property
    def op(self) -> str:
        """The reduction's C++ type."""
        if self.pool.op == "max":
            return f"{'MaxAtOp' if self.indices else 'MaxOp'}<{self.value}>"
        return f"MeanOp<{self.value}, {_flag(self.pool.padded)}, {self.pool.divisor}>"

    @property
    def windows(self) -> tuple[Window, Window, Window]:
        """Depth, height, width; a window of one element where the rank is lower."""
        one = Window(1, 1)
        padded = (one,) * (3 - self.pool.rank) + self.pool.windows
        return (padded[0], padded[1], padded[2])


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _braces(items: Iterable[object]) -> str:
    return f"{{{', '.join(str(i) for i in items)}}}"


def parameters(form: Form) -> tuple[HostParam, ...]:
    """Output sizes that are known only when the model runs."""
    sizes = {size.name: size for size in form.pool.outputs if isinstance(size, Ref)}
    return tuple(HostParam("int64_t", name, ref) for name, ref in sizes.items())


def prologue(form: Form, load: Load, store: Store) -> list[str]:
    """Checks and the outputs."""
    pool, lines = form.pool, [*host.opening(load)]
    if pool.windows:
        axes = zip(_within(form, load), pool.windows, strict=True)
        fits = (f"{n} >= {w.extent - 2 * w.padding - (w.stride - 1) * pool.ceil}" for n, w in axes)
        lines.append(f'TORCH_CHECK({" && ".join(fits)}, "the window is larger than the input");')
    outer = [f"{load.like}.size({d})" for d in range(len(pool.main.dims) - pool.rank)]
    lines.append(f"const std::vector<int64_t> out_sizes{_braces(outer + _counts(form, load))};")
    lines += host.allocate(load, store)
    if form.indices:
        options = f"{load.like}.options().dtype(torch::kLong)"
        lines.append(f"torch::Tensor indices = torch::empty(out_sizes, {options});")
    return [*lines, f"if (out.numel() == 0) return {result(form)};"]


def _within(form: Form, load: Load) -> list[str]:
    """Host expressions for the sizes that are pooled."""
    rank = len(form.pool.main.dims)
    return [f"{load.like}.size({d})" for d in range(rank - form.pool.rank, rank)]


def _counts(form: Form, load: Load) -> list[str]:
    """Host expressions for the sizes that come out."""
    pool, within = form.pool, _within(form, load)
    if not pool.windows:
        sizes = zip(within, pool.outputs, strict=True)
        return [n if o is None else o.name if isinstance(o, Ref) else str(o) for n, o in sizes]
    return [_count(n, w, pool.ceil) for n, w in zip(within, pool.windows, strict=True)]


def _count(size: str, window: Window, ceil: bool) -> str:
    if ceil:
        return f"ceil_outputs({size}, {window.extent}, {window.stride}, {window.padding})"
    room = 2 * window.padding - window.extent
    if window.stride == 1:
        return f"{size} {'+' if room >= -1 else '-'} {abs(room + 1)}"
    return f"({size} {'+' if room >= 0 else '-'} {abs(room)}) / {window.stride} + 1"


def _sizes(form: Form, load: Load) -> list[str]:
    """Sizes before and after, as braced lists of depth, height and width."""
    ones = ["1"] * (3 - form.pool.rank)
    rank = len(form.pool.main.dims)
    after = [f"out_sizes[{d}]" for d in range(rank - form.pool.rank, rank)]
    return [_braces(ones + _within(form, load)), _braces(ones + after)]


def result(form: Form) -> str:
    return "{out, indices}" if form.indices else "out"


def _op(form: Form) -> str:
    return f"{form.op}{{{'indices.mutable_data_ptr<int64_t>()' if form.indices else ''}}}"


def per_output(form: Form, load: Load, store: Store) -> list[str]:
    """One thread per output."""
    adaptive, lists = not form.pool.windows, _sizes(form, load)
    if not adaptive:
        fields = zip(*((w.extent, w.stride, w.padding, w.dilation) for w in form.windows), strict=True)
        lists += [_braces(field) for field in fields]
    kernel = "adaptive_pool_thread_per_output" if adaptive else "pool_thread_per_output"
    return [
        f"const {'PoolParts' if adaptive else 'PoolShape'} shape{_braces(lists)};",
        f"{kernel}<<<(out.numel() + 255) / 256, 256, 0, {_STREAM}>>>(",
        f"    {_op(form)}, {load.construct}, {store.construct}, shape, out.numel());",
        _CHECK,
    ]


@attrs.frozen
class Tile:
    """Output rows per group, and packs each thread has in flight."""

    rows: int
    items: int


def tile(form: Form, pack: int) -> Tile | None:
    """How the rows are tiled; None for windows too large to unroll, and where indices are wanted."""
    if form.indices or not form.pool.windows:
        return None
    depth, height, width = form.windows
    if height.kernel > 32 or width.kernel > 64 or width.extent > 256:
        return None
    rows = 1
    overlap = height.stride < height.extent
    while rows < 8 and rows * 2 * pack <= 32 and height.kernel <= 8:
        if not overlap and rows * height.kernel * depth.kernel >= 4:
            break
        rows *= 2
    if form.pool.rank == 1:
        return Tile(1, 2)
    return Tile(rows, 1)


def tiled(form: Form, tile: Tile, load: Load, store: Store) -> list[str]:
    """Rows of outputs per block: packs of columns where the operand is aligned, else single columns."""
    pack = max(1, 16 // load.element_bytes)
    outer = [f"{load.like}.size({d})" for d in range(len(form.pool.main.dims) - form.pool.rank)]
    axes = zip(("Depth", "Height", "Width"), form.windows, strict=True)
    lines = [
        *(f"using {a} = Window<{w.kernel}, {w.stride}, {w.padding}, {w.dilation}>;" for a, w in axes),
        f"const PoolSizes shape{_braces([' * '.join(outer) or '1', *_sizes(form, load)])};",
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"const cudaStream_t stream = {_STREAM};",
    ]
    tests = [f"{_within(form, load)[-1]} % {pack} == 0", *([load.aligned] if load.aligned != "true" else [])]
    packed = [f"if ({' && '.join(tests)}) {{", *_launch(form, tile, pack), "} else {"]
    return [*lines, *packed, *_launch(form, tile, 1), "}"]


def _launch(form: Form, tile: Tile, pack: int) -> list[str]:
    return [
        f"  const PoolTiles tiles = pool_tiles<Width, {tile.rows}, {pack}, {tile.items}>(shape);",
        f"  const size_t shared = {tile.rows} * tiles.per_block * tiles.pitch * sizeof({form.value});",
        f"  pool_block_per_rows<Depth, Height, Width, {tile.rows}, {pack}, {tile.items}>",
        "      <<<tiles.blocks(), tiles.threads, shared, stream>>>(",
        f"          {_op(form)}, load, store, shape, tiles);",
        f"  {_CHECK}",
    ]
