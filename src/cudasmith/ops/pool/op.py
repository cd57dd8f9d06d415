"""Pooling: maxima (with or without their places) and means over sliding or adaptive windows, 1 to 3 dimensions."""

from __future__ import annotations

from cudasmith.model import Graph, Kernel, Node, Tier, Value
from cudasmith.ops import kernel_text
from cudasmith.ops._families import dtypes, host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._unit import Match, OpCase, Refusal, Unit
from cudasmith.ops.pool import host as text
from cudasmith.ops.pool import parts, tiles
from cudasmith.ops.pool.cases import CASES
from cudasmith.ops.pool.pattern import Pool, find, results


class PoolUnit(Unit):
    name = "pool"
    variants = {"minimal": "pool_thread_per_output", "fast": "pool_thread_per_quads"}

    def match(self, graph: Graph, node: Node) -> Match | Refusal | None:
        pool = find(graph, node)
        if pool is None or isinstance(pool, str):
            return None if pool is None else Refusal(pool)
        names = results(graph, pool, node)
        output = node.value or (node.values[0] if node.values else None)
        if names is None or output is None:
            return Refusal("a result that is read neither as values nor as indices")
        read = tuple(name for name in names if name and name != node.name)
        terms = _elements(pool, output)
        return Match(
            root=node.name,
            nodes=(node.name, *read),
            main=pool.main.name,
            output=graph.value(names[0]) or output,
            outputs=names,
            foldable_store=len(names) == 1,
            terms=terms if pool.op == "mean" else "1",
            flops=output.numel * (pool.window_elements if pool.windows else 1),
            attrs={"pool": pool, "fn": node.target.split(".")[1].removesuffix("_with_indices")},
        )

    def variant(self, graph: Graph, match: Match, tier: Tier) -> str:
        tile = tiles.tile(_form(match)) if tier == "fast" else None
        if tier == "fast" and _in_lanes(_form(match)):
            return "adaptive_pool_lanes_per_output"
        prefix = "" if match.attrs["pool"].windows else "adaptive_"
        return tile.kernel if tile else f"{prefix}pool_thread_per_output"

    def kernel(self, graph: Graph, match: Match, tier: Tier, fn: str, load: Load, store: Store) -> Kernel:
        form = _form(match)
        params = host.unique_params(load.params, store.params, text.parameters(form))
        tile = tiles.tile(form) if tier == "fast" else None
        in_lanes = tier == "fast" and _in_lanes(form)
        if tile:
            lines = tiles.tiled(form, tile, load, store)
        else:
            lines = (parts.shared_parts if in_lanes else text.per_output)(form, load, store)
        lines.append(f"return {text.result(form)};")
        returns = "std::tuple<torch::Tensor, torch::Tensor>" if form.indices else "torch::Tensor"
        body = host.signature(returns, fn, params) + "\n" + host.body(lines)
        device = _device(form, tile, in_lanes=in_lanes)
        return Kernel(fn, device, body, params, returns, _doc(form.pool))

    def cases(self) -> tuple[OpCase, ...]:
        return CASES


def _form(match: Match) -> text.Form:
    pool: Pool = match.attrs["pool"]
    return text.Form(pool, dtypes.compute_type(pool.main.dtype), indices=len(match.outputs) > 1)


def _in_lanes(form: text.Form) -> bool:
    """Several lanes share an output of an adaptive pool; places of maxima stay with one thread."""
    return not form.pool.windows and not form.indices


def _elements(pool: Pool, output: Value) -> str:
    """Elements of the largest window, an expression over free sizes."""
    if pool.windows:
        return str(pool.window_elements)
    lead = len(output.dims) - pool.rank
    parts = (
        f"(({given}) // ({to}) + 2)"
        for given, to in zip(pool.main.dims[lead:], output.dims[lead:], strict=True)
    )
    return " * ".join(parts)


def _device(form: text.Form, tile: tiles.Tile | None, *, in_lanes: bool) -> tuple[str, ...]:
    """The chunks of the kernel files that this host function needs, in file order."""
    if tile:
        other = "struct MeanOp " if form.pool.op == "max" else "struct MaxOp "
        shared = (c for c in kernel_text("pool", "windows.cuh") if other not in c)
        own = "quads.cu" if tile.kernel == "pool_thread_per_quads" else "tiles.cu"
        return (*shared, *kernel_text("pool", "groups.cuh"), *kernel_text("pool", own))
    wanted = [f"struct {text.reduction(form).split('<')[0]} "] + (["ceil_outputs("] if form.pool.ceil else [])
    if form.pool.windows:
        wanted.append("struct PoolBox ")
    else:
        wanted += ["struct PoolParts ", *([] if in_lanes else ["adaptive_pool_thread_per_output("])]
    chosen = tuple(c for c in kernel_text("pool", "minimal.cu") if any(w in c for w in wanted))
    return (*chosen, *kernel_text("pool", "parts.cu")) if in_lanes else chosen


def _doc(pool: Pool) -> str:
    what = "maximum" if pool.op == "max" else "mean"
    if pool.windows:
        return f"{what} over windows of {' x '.join(str(w.kernel) for w in pool.windows)}"
    return f"{what} over as many windows as the result has elements"


UNIT = PoolUnit()
__all__ = ["UNIT"]
