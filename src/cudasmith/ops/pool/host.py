"""The host functions of pooling, as text: what all have in common, and one thread per output."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cudasmith.model import HostParam, Ref
from cudasmith.ops._families import host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.pool.pattern import Pool, Window

STREAM = "c10::cuda::getCurrentCUDAStream()"
CHECK = "C10_CUDA_KERNEL_LAUNCH_CHECK();"


@attrs.frozen
class Form:
    """What the text depends on. `value`: the C++ compute type; `indices`: the second output is wanted."""

    pool: Pool
    value: str
    indices: bool = False

    @property
    def windows(self) -> tuple[Window, Window, Window]:
        """Depth, height, width; a window of one element where the rank is lower."""
        one = Window(1, 1)
        padded = (one,) * (3 - self.pool.rank) + self.pool.windows
        return (padded[0], padded[1], padded[2])

    @property
    def mean_arguments(self) -> str:
        """Template arguments of the mean after the type."""
        return f"{flag(self.pool.padded)}, {self.pool.divisor}"


def flag(value: bool) -> str:
    return "true" if value else "false"


def braces(items: Iterable[object]) -> str:
    return f"{{{', '.join(str(i) for i in items)}}}"


def parameters(form: Form) -> tuple[HostParam, ...]:
    """Output sizes that are known only when the model runs."""
    sizes = {size.name: size for size in form.pool.outputs if isinstance(size, Ref)}
    return tuple(HostParam("int64_t", name, ref) for name, ref in sizes.items())


def prologue(form: Form, load: Load, store: Store, before: list[str], counts: list[str]) -> list[str]:
    """Checks, the lines `before`, and the outputs, whose pooled sizes are `counts`."""
    lines = [*host.opening(load), *before]
    lines += host.allocate_as(load, store, braces(outer(form, load) + counts), named=form.indices)
    if form.indices:
        options = f"{load.like}.options().dtype(torch::kLong)"
        lines.append(f"torch::Tensor indices = torch::empty(out_sizes, {options});")
    return [*lines, f"if (out.numel() == 0) return {result(form)};"]


def outer(form: Form, load: Load) -> list[str]:
    """Host expressions for the sizes that stay."""
    return [f"{load.like}.size({d})" for d in range(len(form.pool.main.dims) - form.pool.rank)]


def within(form: Form, load: Load) -> list[str]:
    """Host expressions for the sizes that are pooled."""
    rank = len(form.pool.main.dims)
    return [f"{load.like}.size({d})" for d in range(rank - form.pool.rank, rank)]


def result(form: Form) -> str:
    return "{out, indices}" if form.indices else "out"


def reduction(form: Form) -> str:
    """The functor of the kernels with one thread per output."""
    if form.pool.op == "mean":
        return f"Mean<{form.value}, {form.mean_arguments}>{{}}"
    if form.indices:
        return f"MaximumAt<{form.value}>{{indices.mutable_data_ptr<int64_t>()}}"
    return f"Maximum<{form.value}>{{}}"


def per_output(form: Form, load: Load, store: Store) -> list[str]:
    """The body for one thread per output."""
    adaptive, rank, ones = not form.pool.windows, len(form.pool.main.dims), ["1"] * (3 - form.pool.rank)
    lists = [
        braces(ones + within(form, load)),
        braces(ones + [f"out.size({d})" for d in range(rank - form.pool.rank, rank)]),
    ]
    if not adaptive:
        fields = zip(*((w.extent, w.stride, w.padding, w.dilation) for w in form.windows), strict=True)
        lists += [braces(field) for field in fields]
    kernel = "adaptive_pool_thread_per_output" if adaptive else "pool_thread_per_output"
    return [
        *prologue(form, load, store, _fits(form, load), counts(form, load)),
        f"const {'PoolParts' if adaptive else 'PoolBox'} shape{braces(lists)};",
        f"{kernel}<<<(out.numel() + 255) / 256, 256, 0, {STREAM}>>>(",
        f"    {reduction(form)}, {load.construct}, {store.construct}, shape, out.numel());",
        CHECK,
    ]


def _fits(form: Form, load: Load) -> list[str]:
    """The check that there is at least one window."""
    axes = zip(within(form, load), form.pool.windows, strict=False)
    least = [(n, w.extent - 2 * w.padding - (w.stride - 1) * form.pool.ceil) for n, w in axes]
    tests = " && ".join(f"{n} >= {size}" for n, size in least)
    return [f'TORCH_CHECK({tests}, "the window is larger than the input");'] if tests else []


def counts(form: Form, load: Load) -> list[str]:
    """Host expressions for the sizes that come out."""
    pool, sizes = form.pool, within(form, load)
    if not pool.windows:
        pairs = zip(sizes, pool.outputs, strict=True)
        return [n if o is None else o.name if isinstance(o, Ref) else str(o) for n, o in pairs]
    return [_count(n, w, pool.ceil) for n, w in zip(sizes, pool.windows, strict=True)]


def _count(size: str, window: Window, ceil: bool) -> str:
    if ceil:
        return f"ceil_outputs({size}, {window.extent}, {window.stride}, {window.padding})"
    room = 2 * window.padding - window.extent
    if window.stride == 1:
        return f"{size} {'+' if room >= -1 else '-'} {abs(room + 1)}"
    return f"({size} {'+' if room >= 0 else '-'} {abs(room)}) / {window.stride} + 1"
