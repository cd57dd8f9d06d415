"""plan: choose a unit for each part of the graph; fold pointwise chains into their neighbours."""

from __future__ import annotations

import attrs

from cudasmith.model import Capture, Graph, GraphPlan, Node, Plan, Step, Tier, Value
from cudasmith.ops import Match, Refusal, Unit, unit, units
from cudasmith.ops._families import dtypes
from cudasmith.ops._families.functors import load_functor, store_functor
from cudasmith.ops._families.patterns import output_names
from cudasmith.ops._families.pointwise import Group, base_name, is_elementwise, why_not
from cudasmith.stages._functional import functionalise

# Functions of C's library: a host function of that name would be an ambiguous overload.
_C_NAMES = frozenset(
    [
        "abs",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "ceil",
        "cos",
        "cosh",
        "div",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "fmax",
        "fmin",
        "fmod",
        "frexp",
        "hypot",
        "isfinite",
        "isinf",
        "isnan",
        "ldexp",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "pow",
        "remainder",
        "round",
        "select",
        "signbit",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "trunc",
        "index",
        "clone",
    ]
)
_SIZE_TARGETS = ("aten.sym_size.int", "operator.", "aten.sym_numel", "math.", "builtins.")


def plan(capture: Capture, tier: Tier = "fast") -> Plan:
    """Steps for train and eval mode. Deterministic: the same capture gives the same plan."""
    evaluated = plan_graph(capture.eval, tier)
    trained = evaluated if capture.same else plan_graph(capture.train, tier, prefix="train_")
    return Plan(train=trained, eval=evaluated, tier=tier)


def plan_graph(graph: Graph, tier: Tier, prefix: str = "") -> GraphPlan:
    """The steps of one graph, in topological order, unused ones dropped."""
    graph = functionalise(graph)
    return _Planner(graph, tier, prefix).run()


@attrs.define
class _Job:
    """A unit's match with what has been folded into it."""

    unit: Unit
    match: Match
    load: Group
    store: Group | None = None
    root: str = ""  # the node at whose place the step stands


class _Planner:
    def __init__(self, graph: Graph, tier: Tier, prefix: str) -> None:
        self.graph, self.tier, self.prefix = graph, tier, prefix
        self.order = {n.name: i for i, n in enumerate(graph.nodes)}
        self.outputs = set(output_names(graph.output))
        self.covered: dict[str, str] = {}  # node -> root of the match that covers it
        self.refused: dict[str, str] = {}
        self.names: dict[str, int] = {}

    def run(self) -> GraphPlan:
        jobs = self._matches()
        groups = self._groups()
        self._fold(jobs, groups)
        jobs += [self._pointwise_job(g) for g in groups.values()]
        steps = {job.root: self._step(job) for job in sorted(jobs, key=lambda j: self.order[j.root])}
        inside = {name for job in jobs for name in self._nodes_of(job)}
        for node in self.graph.nodes:
            if node.name not in inside:
                steps[node.name] = self._call(node)
        ordered = [steps[n.name] for n in self.graph.nodes if n.name in steps]
        return GraphPlan(self._live(ordered), self.graph.output)

    def _matches(self) -> list[_Job]:
        jobs = []
        for node in reversed(self.graph.nodes):
            if node.name in self.covered:
                continue
            for candidate in units():
                found = candidate.match(self.graph, node)
                if isinstance(found, Refusal):
                    self.refused[node.name] = found.reason
                elif found is not None and not any(n in self.covered for n in found.nodes):
                    self.covered.update(dict.fromkeys(found.nodes, found.root))
                    main = self.graph.value(found.main)
                    assert main is not None
                    job = _Job(candidate, found, Group((), main, (main,)), root=found.root)
                    jobs.append(job)
                    break
        return jobs

    def _groups(self) -> dict[str, Group]:
        """Chains of elementwise nodes, by the name of their root."""
        taken: set[str] = set()
        groups: dict[str, Group] = {}
        for node in reversed(self.graph.nodes):
            if node.name in taken or node.name in self.covered or not is_elementwise(self.graph, node):
                continue
            members = self._grow(node)
            taken |= members
            groups[node.name] = self._group(node, members)
        return groups

    def _grow(self, root: Node) -> set[str]:
        """The root and every producer that only this chain reads, over the same index space."""
        assert root.value is not None
        members = {root.name}
        for node in reversed(self.graph.nodes[: self.order[root.name]]):
            if node.value is None or node.name in self.covered or node.name in self.outputs:
                continue
            users = self.graph.users(node.name)
            inside = bool(users) and all(u.name in members for u in users)
            if inside and node.value.dims == root.value.dims and is_elementwise(self.graph, node):
                members.add(node.name)
        return members

    def _group(self, root: Node, members: set[str]) -> Group:
        nodes = tuple(n for n in self.graph.nodes if n.name in members)
        leaves: dict[str, Value] = {}
        for node in nodes:
            for name in node.refs():
                value = self.graph.value(name)
                if name not in members and value is not None:
                    leaves[name] = value
        assert root.value is not None
        return Group(nodes, root.value, tuple(leaves.values()))

    def _fold(self, jobs: list[_Job], groups: dict[str, Group]) -> None:
        """Move chains into a neighbour's load or store, where nothing else reads what lies between."""
        for job in sorted(jobs, key=lambda j: self.order[j.root]):
            self._fold_store(job, groups)
            self._fold_load(job, groups)

    def _fold_store(self, job: _Job, groups: dict[str, Group]) -> None:
        match = job.match
        if not match.foldable_store or match.output.name in self.outputs or len(match.outputs) > 1:
            return
        readers = self.graph.users(match.output.name)
        for name, group in groups.items():
            own = {n.name for n in group.nodes}
            if readers and all(r.name in own for r in readers) and group.root.dims == match.output.dims:
                job.store, job.root = group, name
                del groups[name]
                return

    def _fold_load(self, job: _Job, groups: dict[str, Group]) -> None:
        match = job.match
        group = groups.get(match.main)
        if not match.foldable_load or group is None or match.main in self.outputs:
            return
        only_here = all(u.name in match.nodes for u in self.graph.users(match.main))
        if only_here and any(leaf.dims == group.root.dims for leaf in group.leaves):
            job.load = group
            del groups[match.main]

    def _pointwise_job(self, group: Group) -> _Job:
        nodes = tuple(n.name for n in group.nodes)
        distinct = list(dict.fromkeys(base_name(n.target) for n in group.nodes))
        fn = "_".join(distinct[:3])
        match = Match(
            group.root.name, nodes, group.root.name, group.root, (group.root.name,), attrs={"fn": fn}
        )
        return _Job(unit("pointwise"), match, group, root=group.root.name)

    def _nodes_of(self, job: _Job) -> tuple[str, ...]:
        stored = tuple(n.name for n in job.store.nodes) if job.store else ()
        return tuple(dict.fromkeys((*(n.name for n in job.load.nodes), *job.match.nodes, *stored)))

    def _step(self, job: _Job) -> Step:
        match = job.match
        fn = self._name(match)
        load = load_functor(self.graph, job.load, fn, self.tier)
        store = store_functor(self.graph, job.store, match.output, fn, self.tier)
        kernel = job.unit.kernel(self.graph, match, self.tier, fn, load, store)
        outputs = (job.store.root.name,) if job.store else match.outputs
        written = self.graph.value(outputs[0]) or match.output
        return Step(
            kind="kernel",
            outputs=outputs,
            nodes=self._nodes_of(job),
            unit=job.unit.name,
            variant=job.unit.variant(self.graph, match, self.tier),
            tier=self.tier,
            kernel=attrs.evolve(kernel, device=(load.struct, store.struct, *kernel.device)),
            terms=match.terms,
            bytes=self._bytes(job, written),
            flops=match.flops or written.numel * max(1, len(job.load.nodes)),
        )

    def _bytes(self, job: _Job, written: Value) -> int:
        leaves = [*job.load.leaves, *(job.store.leaves if job.store else ())]
        read = {v.name: v for v in leaves if v.name != job.match.output.name}
        for name in job.match.others:
            value = self.graph.value(name)
            if value is not None:
                read[name] = value
        total = sum(v.numel * dtypes.size_bytes(v.dtype) for v in read.values() if dtypes.known(v.dtype))
        return total + written.numel * dtypes.size_bytes(written.dtype)

    def _name(self, match: Match) -> str:
        """A host function's name: what it computes, numbered when that is not unique."""
        base = self.prefix + str(match.attrs.get("fn") or base_name(self._target(match.root)))
        if base in _C_NAMES:
            base += "_op"
        self.names[base] = self.names.get(base, 0) + 1
        return base if self.names[base] == 1 else f"{base}_{self.names[base]}"

    def _target(self, root: str) -> str:
        node = self.graph.node(root)
        assert node is not None
        return node.target

    def _call(self, node: Node) -> Step:
        """A node that no kernel replaces: arithmetic on sizes, or PyTorch's own operator."""
        if node.target.startswith(_SIZE_TARGETS):
            return Step("size", (node.name,), (node.name,), node=node)
        reason = self.refused.get(node.name) or f"no unit for {node.target}"
        elementwise = why_not(self.graph, node)
        if node.name not in self.refused and elementwise and "known here" not in elementwise:
            reason = elementwise if node.target.startswith("aten.") else reason
        return Step("torch", (node.name,), (node.name,), node=node, reason=reason)

    def _live(self, steps: list[Step]) -> tuple[Step, ...]:
        """Drop what nothing reads, unless it changes a tensor in place."""
        wanted = set(self.outputs)
        kept = []
        for step in reversed(steps):
            mutates = step.node is not None and (
                base_name(step.node.target + ".").endswith("_") or _writes(step.node)
            )
            if mutates or any(name in wanted for name in step.outputs):
                kept.append(step)
                wanted.update(_reads(step))
        return tuple(reversed(kept))


def _writes(node: Node) -> bool:
    """Running statistics are updated by batch_norm in training mode."""
    return node.target == "aten.batch_norm.default" and True in node.args


def _reads(step: Step) -> list[str]:
    if step.kernel is not None:
        return [name for p in step.kernel.params for name in output_names(p.arg)]
    assert step.node is not None
    return list(step.node.refs())
