"""The host functions of adaptive pooling with several lanes per output, as text."""

from __future__ import annotations

from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.host import CHECK, STREAM, Form, braces, counts, prologue, reduction, within


def shared_parts(form: Form, load: Load, store: Store) -> list[str]:
    """The body; a pool over whole planes takes each plane as one row."""
    rank, ones = len(form.pool.main.dims), ["1"] * (3 - form.pool.rank)
    sizes = within(form, load)
    whole = all(size == 1 for size in form.pool.outputs)
    inside = ["1", "1", " * ".join(sizes)] if whole else ones + sizes
    after = ones + [f"out.size({d})" for d in range(rank - form.pool.rank, rank)]
    lines = [
        *prologue(form, load, store, [], counts(form, load)),
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"const PoolParts shape{braces([braces(inside), braces(after)])};",
        f"const PoolLanes share = pool_lanes(shape, {load.like}.numel());",
        "const int64_t blocks = (out.numel() * share.lanes + 255) / 256;",
        f"const cudaStream_t stream = {STREAM};",
    ]
    for test, index in (("if (share.wide) {", "int64_t"), ("} else {", "int")):
        call = f"<<<blocks, 256, 0, stream>>>({reduction(form)}, load, store, shape, share, out.numel());"
        lines += [test, f"  adaptive_pool_lanes_per_output<{index}>", f"      {call}", f"  {CHECK}"]
    return [*lines, "}"]
