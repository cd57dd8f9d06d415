"""The host functions of pooling, as text."""

from __future__ import annotations

import attrs

from cudasmith.model import HostParam, Ref
from cudasmith.ops._families import host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.pattern import Pool, Window

_STREAM = "c10::cuda::getCurrentCUDAStream()"
_CHECK = "C10_CUDA_KERNEL_LAUNCH_CHECK();"
_AXES = ("Depth", "Height", "Width")


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


def window_type(window: Window, ceil: bool) -> str:
    numbers = f"{window.kernel}, {window.stride}, {window.padding}, {window.dilation}"
    return f"Window<{numbers}, {_flag(ceil)}>"


def parameters(form: Form) -> tuple[HostParam, ...]:
    """Output sizes that are known only when the model runs."""
    sizes = {size.name: size for size in form.pool.outputs if isinstance(size, Ref)}
    return tuple(HostParam("int64_t", name, ref) for name, ref in sizes.items())


def prologue(form: Form, load: Load, store: Store) -> list[str]:
    """Checks, the kinds of window, `shape`, and the outputs."""
    pool, lines = form.pool, [*host.opening(load)]
    rank, sizes = len(pool.main.dims), "sizes"
    lines.append(f"const std::vector<int64_t> sizes = {load.sizes}.vec();")
    lead = rank - pool.rank
    within = ["1"] * (3 - pool.rank) + [f"{sizes}[{d}]" for d in range(lead, rank)]
    lines += _axis_types(form)
    counts = [_count(form, axis, within[axis]) for axis in range(3)]
    planes = " * ".join(f"sizes[{d}]" for d in range(lead)) or "1"
    lines += [
        f"const PoolShape shape{{{planes}, {{{', '.join(within)}}}, {{{', '.join(counts)}}}}};",
        'TORCH_CHECK(shape.out[0] > 0 && shape.out[1] > 0 && shape.out[2] > 0, "input smaller than the window");',
    ]
    outer = [f"sizes[{d}]" for d in range(lead)]
    inner = [f"shape.out[{axis}]" for axis in range(3 - pool.rank, 3)]
    lines.append(f"const std::vector<int64_t> out_sizes{{{', '.join(outer + inner)}}};")
    lines += host.allocate(load, store)
    if form.indices:
        options = f"{load.like}.options().dtype(torch::kLong)"
        lines.append(f"torch::Tensor indices = torch::empty(out_sizes, {options});")
    return [*lines, f"if (out.numel() == 0) return {result(form)};"]


def _axis_types(form: Form) -> list[str]:
    lines = []
    for axis, window in zip(_AXES, form.windows, strict=True) if form.pool.windows else ():
        used = _AXES.index(axis) >= 3 - form.pool.rank
        lines.append(f"using {axis} = {window_type(window, form.pool.ceil and used)};")
    return lines or [f"using {axis} = Part;" for axis in _AXES]


def _count(form: Form, axis: int, size: str) -> str:
    """Host expression for the number of outputs along one axis."""
    own = axis - (3 - form.pool.rank)
    if own < 0:
        return "1"
    if form.pool.windows:
        return f"{_AXES[axis]}::outputs({size})"
    wanted = form.pool.outputs[own]
    return size if wanted is None else wanted.name if isinstance(wanted, Ref) else str(wanted)


def result(form: Form) -> str:
    return "{out, indices}" if form.indices else "out"


def _op(form: Form) -> str:
    return f"{form.op}{{{'indices.mutable_data_ptr<int64_t>()' if form.indices else ''}}}"


def per_output(form: Form, load: Load, store: Store) -> list[str]:
    """One thread per output."""
    return [
        f"pool_thread_per_output<Depth, Height, Width><<<(out.numel() + 255) / 256, 256, 0, {_STREAM}>>>(",
        f"    {_op(form)}, {load.construct}, {store.construct}, shape);",
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
    if height.kernel > 32 or width.kernel > 64 or width.extent > 256 or width.stride > 64:
        return None
    rows = 1
    overlap = height.stride < height.extent
    while rows < 4 and rows * 2 * pack <= 16 and height.kernel <= 8:
        if not overlap and rows * height.kernel * depth.kernel >= 4:
            break
        rows *= 2
    if form.pool.rank == 1:
        return Tile(1, 2)
    return Tile(rows, 1)


def tiled(form: Form, tile: Tile, load: Load, store: Store) -> list[str]:
    """Rows of outputs per block: packs of columns where the operand is aligned, else single columns."""
    pack = max(1, 16 // load.element_bytes)
    width = f"shape.in[2] % {pack} == 0" + (f" && {load.aligned}" if load.aligned != "true" else "")
    lines = [
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"const cudaStream_t stream = {_STREAM};",
    ]
    if pack == 1:
        return [*lines, *_tiled_launch(form, tile, 1, "")]
    return [
        *lines,
        f"if ({width}) {{",
        *_tiled_launch(form, tile, pack, "  "),
        "} else {",
        *_tiled_launch(form, tile, 1, "  "),
        "}",
    ]


def _tiled_launch(form: Form, tile: Tile, pack: int, indent: str) -> list[str]:
    lines = [
        f"const PoolTiles tiles = pool_tiles<Width, {tile.rows}, {pack}, {tile.items}>(shape);",
        f"pool_block_per_rows<Depth, Height, Width, {tile.rows}, {pack}, {tile.items}>",
        f"    <<<tiles.blocks(), tiles.threads, tiles.shared({tile.rows}) * sizeof({form.value}), stream>>>(",
        f"        {_op(form)}, load, store, shape, tiles);",
        _CHECK,
    ]
    return [indent + line for line in lines]
