"""Scans: cumsum, cumprod, cummax, cummin, logcumsumexp; forward, reverse, exclusive; along any dimension."""

from __future__ import annotations

from cudasmith.model import Graph, Kernel, Node, Ref, Tier, Value
from cudasmith.ops import kernel_text
from cudasmith.ops._families import dtypes, host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._unit import Match, OpCase, Refusal, Unit
from cudasmith.ops.scan import host as text
from cudasmith.ops.scan.cases import CASES
from cudasmith.ops.scan.pattern import Scan, find

_NAMES = {"sum": "cumsum", "prod": "cumprod", "max": "cummax", "min": "cummin", "logsumexp": "logcumsumexp"}


class ScanUnit(Unit):
    name = "scan"
    variants = {"minimal": "scan_thread_per_slice", "fast": "scan_block_per_row"}

    def match(self, graph: Graph, node: Node) -> Match | Refusal | None:
        scan = find(graph, node)
        if scan is None:
            return None
        values = _outputs(graph, scan, node)
        if values is None:
            return Refusal("a result that is read neither as values nor as indices")
        reason = _why_not(scan, values[0].dtype)
        if reason is not None:
            return Refusal(reason)
        readers = tuple(v.name for v in values if graph.node(v.name) is not None)
        return Match(
            root=node.name,
            nodes=tuple(dict.fromkeys((*scan.nodes, *readers))),
            main=scan.main.name,
            output=values[0],
            outputs=tuple(v.name for v in values),
            foldable_load=True,
            terms=scan.main.dims[scan.dim]
            if scan.op in ("sum", "prod", "logsumexp") and scan.main.dims
            else "1",
            flops=scan.main.numel,
            attrs={"fn": _title(scan), "scan": scan},
        )

    def variant(self, graph: Graph, match: Match, tier: Tier) -> str:
        """The kernel that the host picks at the problem's own sizes."""
        scan: Scan = match.attrs["scan"]
        if tier == "minimal":
            return "exclusive_scan_thread_per_slice" if scan.exclusive else "scan_thread_per_slice"
        shape = match.output.shape or (1,)
        length, slices = shape[scan.dim], match.output.numel // max(1, shape[scan.dim])
        if scan.dim < len(shape) - 1:
            many = length <= 16 or slices >= 2048 * 132
            return "scan_thread_per_column" if many else "scan_block_per_columns"
        n = min(8, 16 // max(dtypes.size_bytes(scan.main.dtype), dtypes.size_bytes(match.output.dtype)))
        if length <= 32 * (n if length % n == 0 and not scan.extra else 1):
            return "scan_lanes_per_row"
        return "scan_warp_per_row" if length <= 1024 else "scan_block_per_row"

    def kernel(self, graph: Graph, match: Match, tier: Tier, fn: str, load: Load, store: Store) -> Kernel:
        scan: Scan = match.attrs["scan"]
        form = text.Form(scan, dtypes.compute_type(match.output.dtype), indices=len(match.outputs) > 1)
        params = host.unique_params(load.params, store.params)
        launch = text.fast_launch if tier == "fast" else text.minimal_launch
        lines = [
            *text.prologue(form, load, store),
            *launch(form, load, store),
            f"return {text.result(form)};",
        ]
        returns = "std::tuple<torch::Tensor, torch::Tensor>" if form.indices else "torch::Tensor"
        body = host.signature(returns, fn, params) + "\n" + host.body(lines)
        return Kernel(fn, _device(form, tier, "\n".join(lines)), body, params, returns, _doc(scan))

    def cases(self) -> tuple[OpCase, ...]:
        return CASES


def _outputs(graph: Graph, scan: Scan, root: Node) -> tuple[Value, ...] | None:
    """What later nodes read: the root, or of cummax and cummin the values and the indices."""
    if scan.op not in ("max", "min"):
        return (root.value,) if root.value is not None else None
    members = {n.args[1]: n for n in graph.users(root.name) if n.target == "operator.getitem"}
    if any(n.args[0] != Ref(root.name) for n in members.values()) or len(root.values) != 2 or not members:
        return None
    if len(members) != len(graph.users(root.name)):
        return None
    values = members[0].value if 0 in members else root.values[0]
    indices = members[1].value if 1 in members else None
    return tuple(v for v in (values, indices) if v is not None)


def _why_not(scan: Scan, out: str) -> str | None:
    """Why no kernel covers these dtypes, or None."""
    given = scan.main.dtype
    if not dtypes.known(given) or not dtypes.known(out):
        return f"scan of {given} to {out}"
    if out == "bool" and scan.op in ("sum", "prod"):
        return "scan with bool results"
    if scan.op == "logsumexp" and not dtypes.is_float(given):
        return f"logcumsumexp of {given}"
    narrowed = out in ("float16", "bfloat16") and given not in (out, "bool")
    if narrowed or (dtypes.is_float(given) and not dtypes.is_float(out) and out != "int64"):
        return f"scan that first rounds {given} to {out}"
    return None


def _title(scan: Scan) -> str:
    direction = "reverse_" if scan.reverse else ""
    return f"{direction}{'exclusive_' if scan.exclusive else ''}{_NAMES[scan.op]}"


def _doc(scan: Scan) -> str:
    words = [_NAMES[scan.op], f"along dim {scan.dim}"]
    words += ["from right to left"] if scan.reverse else []
    return " ".join(words + (["of the elements before"] if scan.exclusive else []))


def _device(form: text.Form, tier: Tier, body: str) -> tuple[str, ...]:
    """The chunks of the kernel files that this host function needs, in file order."""
    functors = kernel_text("scan", "functors.cuh")
    state = {"max": "ExtremeState", "min": "ExtremeState", "logsumexp": "LogSumExpState"}.get(
        form.scan.op, "-"
    )
    names = (f"struct {state} ", f"struct {form.functor} ")
    chosen = [chunk for chunk in functors if any(name in chunk for name in names)]
    chunks = kernel_text("scan", f"{tier}.cu")
    if tier == "minimal":
        exclusive = "exclusive_scan_thread_per_slice("
        return (*chosen, *(c for c in chunks if (exclusive in c) == form.scan.exclusive))
    other = "column" if form.last else "row"
    return (*chosen, *(c for c in chunks if not _only_for(c, other)))


def _only_for(chunk: str, what: str) -> bool:
    """True for chunks that serve only rows, or only columns."""
    marks = {
        "row": ("read_row(", "scan_row(", "state_before(", "_per_row("),
        "column": ("scan_column(", "_per_column(", "_per_columns("),
    }
    return any(mark in chunk for mark in marks[what])


UNIT = ScanUnit()
__all__ = ["UNIT"]
