"""The host functions of pooling that tile rows of outputs, as text."""

from __future__ import annotations

import attrs

from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.host import CHECK, STREAM, Form, braces, flag, outer, prologue, within
from cudasmith.ops.pool.pattern import Window

_AXES = ("Depth", "Height", "Width")


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
    counts = [f"shape.out[{axis}]" for axis in range(3 - form.pool.rank, 3)]
    lines = [
        *prologue(form, load, store, _shape(form, load), counts),
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"const cudaStream_t stream = {STREAM};",
    ]
    tests = [f"shape.in[2] % {pack} == 0", *([load.aligned] if load.aligned != "true" else [])]
    packed = [f"if ({' && '.join(tests)}) {{", *_launch(form, tile, pack), "} else {"]
    return [*lines, *packed, *_launch(form, tile, 1), "}"]


def _shape(form: Form, load: Load) -> list[str]:
    """The windows' types and `shape`, with the check that there is at least one window."""
    pool, ones = form.pool, ["1"] * (3 - form.pool.rank)
    sizes = ones + within(form, load)
    ceils = [False] * (3 - pool.rank) + [pool.ceil] * pool.rank
    axes = zip(_AXES, form.windows, ceils, strict=True)
    counts = ones + [f"{axis}::outputs({n})" for axis, n in zip(_AXES, sizes, strict=True)][3 - pool.rank :]
    planes = " * ".join(outer(form, load)) or "1"
    return [
        *(f"using {axis} = {_window_type(window, ceil)};" for axis, window, ceil in axes),
        f"const PoolShape shape{braces([planes, braces(sizes), braces(counts)])};",
        "TORCH_CHECK(shape.out[0] > 0 && shape.out[1] > 0 && shape.out[2] > 0,",
        '            "the window is larger than the input");',
    ]


def _window_type(window: Window, ceil: bool) -> str:
    return f"Window<{window.kernel}, {window.stride}, {window.padding}, {window.dilation}, {flag(ceil)}>"


def _launch(form: Form, tile: Tile, pack: int) -> list[str]:
    op = f"MaxOp<{form.value}>" if form.pool.op == "max" else f"MeanOp<{form.value}, {form.mean_arguments}>"
    sizes = f"{tile.rows}, {pack}, {tile.items}"
    return [
        f"  const PoolTiles tiles = pool_tiles<Width, {sizes}>(shape);",
        f"  const size_t shared = tiles.shared({tile.rows}) * sizeof({form.value});",
        f"  pool_block_per_rows<Depth, Height, Width, {sizes}>",
        f"      <<<tiles.blocks(), tiles.threads, shared, stream>>>({op}{{}}, load, store, shape, tiles);",
        f"  {CHECK}",
    ]
