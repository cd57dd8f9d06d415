"""The host functions of pooling that tile rows of outputs, as text."""

from __future__ import annotations

import attrs

from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.host import CHECK, STREAM, Form, braces, flag, outer, prologue, within
from cudasmith.ops.pool.pattern import Window

_AXES = ("Depth", "Height", "Width")


@attrs.frozen
class Tile:
    """How output rows are shared out: a kernel, and output rows per group."""

    kernel: str  # "pool_thread_per_quads" or "pool_block_per_rows"
    rows: int
    items: int = 1  # packs of columns that a thread has in flight, for pool_block_per_rows
    threads: int = 256  # per block; wanted ones for pool_block_per_rows


def tile(form: Form) -> Tile | None:
    """How the rows are tiled; None for windows too large to unroll, and where indices are wanted."""
    if form.indices or not form.pool.windows:
        return None
    _, height, width = form.windows
    if height.kernel > 32 or width.kernel > 64 or width.extent > 256 or width.stride > 64:
        return None
    if width.stride > 2 or width.extent > 32 or height.kernel > 8:
        return Tile("pool_block_per_rows", 1)
    shared_rows = height.stride < height.kernel * height.dilation and height.dilation == 1
    if height.kernel == 1:
        # 1.41 x floor for dilated maxima, against 1.46 with 2 rows, 1.44 with 4 and 1.45 in blocks of 256;
        # along two axes blocks of 256 are faster (1.35 against 1.56), NVIDIA H200, 2026-12-02
        return Tile("pool_thread_per_quads", 3, threads=128)
    if (
        not shared_rows
    ):  # dilated rows share little: 1.36 x floor against 1.47 in quads, NVIDIA H200, 2026-12-02
        return Tile("pool_block_per_rows", 2, items=2, threads=128)
    return Tile("pool_thread_per_quads", 4)


def tiled(form: Form, tile: Tile, load: Load, store: Store) -> list[str]:
    """Packs of columns where the operand is aligned, else single columns."""
    quads = tile.kernel == "pool_thread_per_quads"
    pack = min(4 if quads else 16, max(1, 16 // load.element_bytes))
    counts = [f"shape.out[{axis}]" for axis in range(3 - form.pool.rank, 3)]
    lines = [
        *prologue(form, load, store, _shape(form, load), counts),
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"const cudaStream_t stream = {STREAM};",
    ]
    tests = [f"shape.in[2] % {pack} == 0", *([load.aligned] if load.aligned != "true" else [])]
    if quads:
        whole = "shape.out[2] % 4 == 0" + (f" && {store.aligned}" if store.aligned != "true" else "")
        lines.append(f"const bool packed = {whole};")
    launch = _quads if quads else _rows
    return [
        *lines,
        f"if ({' && '.join(tests)}) {{",
        *launch(form, tile, pack),
        "} else {",
        *launch(form, tile, 1),
        "}",
    ]


def _shape(form: Form, load: Load) -> list[str]:
    """The windows' types and `shape`, with the check that there is at least one window."""
    pool, ones = form.pool, ["1"] * (3 - form.pool.rank)
    sizes = ones + within(form, load)
    ceils = [False] * (3 - pool.rank) + [pool.ceil] * pool.rank
    axes = zip(_AXES, form.windows, ceils, strict=True)
    counts = ones + [f"{axis}::outputs({n})" for axis, n in zip(_AXES, sizes, strict=True)][3 - pool.rank :]
    planes = " * ".join(outer(form, load)) or "1"
    fits = " && ".join(f"shape.out[{axis}] > 0" for axis in range(3 - pool.rank, 3))
    if pool.rank == 1:  # lines stand as the rows of one plane, so that a thread takes several
        planes, sizes[1], counts[1] = "1", planes, planes
    return [
        *(f"using {axis} = {_window_type(window, ceil)};" for axis, window, ceil in axes),
        f"const PoolShape shape{braces([planes, braces(sizes), braces(counts)])};",
        f'TORCH_CHECK({fits}, "the window is larger than the input");',
    ]


def _window_type(window: Window, ceil: bool) -> str:
    return f"Window<{window.kernel}, {window.stride}, {window.padding}, {window.dilation}, {flag(ceil)}>"


def _reduction(form: Form) -> str:
    return f"MaxOp<{form.value}>" if form.pool.op == "max" else f"MeanOp<{form.value}, {form.mean_arguments}>"


def _rows(form: Form, tile: Tile, pack: int) -> list[str]:
    sizes = f"{tile.rows}, {pack}, {tile.items}"
    return [
        f"  const PoolTiles tiles = pool_tiles<Width, {sizes}, {tile.threads}>(shape);",
        f"  const size_t shared = tiles.shared({tile.rows}) * sizeof({form.value});",
        f"  pool_block_per_rows<Depth, Height, Width, {sizes}>",
        f"      <<<tiles.blocks(), tiles.threads, shared, stream>>>({_reduction(form)}{{}}, load, store, shape, tiles);",
        f"  {CHECK}",
    ]


def _quads(form: Form, tile: Tile, pack: int) -> list[str]:
    return [
        f"  const PoolQuads quads = pool_quads<{tile.rows}>(shape);",
        f"  pool_thread_per_quads<Depth, Height, Width, {tile.rows}, {pack}, {tile.threads}>",
        f"      <<<quads.blocks({tile.threads}), {tile.threads}, 0, stream>>>({_reduction(form)}{{}}, load, store, shape, quads, packed);",
        f"  {CHECK}",
    ]
