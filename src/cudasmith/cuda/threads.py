"""Which threads of a block come where: values that differ between threads, barriers not all of them reach, and
shared memory that is written again while other threads may still read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from cudasmith.cuda.statements import Expr, Stmt
from cudasmith.cuda.symbols import Function

_BARRIERS = (
    "__syncthreads",
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
    "__barrier_sync",
)
_WAITS = ("__syncwarp", "sync", "wait", "arrive_and_wait", "consumer_wait", "wait_parity")
_VOTES = _BARRIERS[1:4]
_OWN = ("__ballot_sync", "__any_sync", "__all_sync", "__activemask", "clock", "clock64", "__match_any_sync")
_RANKS = (
    "thread_rank",
    "thread_index",
    "meta_group_rank",
    "shfl",
    "shfl_down",
    "shfl_up",
    "shfl_xor",
    "ballot",
)
_Path = tuple[tuple[int, int], ...]  # (place of an if, which branch) from outside in


@attrs.frozen
class Fault:
    """`kind`: divergent (a barrier that only some threads reach), exit (some threads leave before a barrier),
    reuse (shared memory written again). `other`: the condition, the barrier, or the read."""

    kind: str
    start: int
    end: int
    what: str
    other: tuple[int, int]


@attrs.frozen
class _Point:
    """A barrier or an exit with what encloses it: branches, and loops from outside in."""

    start: int
    end: int
    path: _Path
    loops: tuple[Stmt, ...]
    cause: Expr | None  # the innermost condition that differs between threads
    cause_loop: int = 0  # how many loops enclose that condition
    kind: str = ""


class Threads:
    """One kernel or device function. `helpers`: the device functions of the file, by name."""

    def __init__(self, function: Function, helpers: Mapping[str, Function]) -> None:
        self._function, self._helpers = function, helpers
        self._body = function.body or Stmt("block", 0, 0)
        self._blocks = _whole_blocks(self._body)
        self._may_synchronize = {n for n in helpers if _may_wait(n, helpers, frozenset())}
        some = any(h.words & set(_BARRIERS) for h in helpers.values())
        self._synchronizing = {n for n in helpers if some and _has_barrier(n, helpers, frozenset())}
        declared = [d for s in self._body.walk() for d in s.declared]
        self._shared_names = {d.name for d in declared if d.shared}
        self._local_arrays = {d.name for d in declared if not d.shared and not d.pointer}
        self._scopes = _scopes(function)
        self._differing: set[tuple[str, int]] = set()  # by name and place of the declaration
        while True:
            before = len(self._differing)
            self._mark(self._body, False)
            if len(self._differing) == before:
                break

    # ---- which values differ between threads of a block

    def differs(self, expr: Expr) -> bool:
        """Whether threads of one block may have different values of it."""
        if expr.kind == "name":
            return self._variable(expr.op, expr.start) in self._differing
        if (
            expr.kind == "member"
            and expr.parts
            and expr.parts[0].op in ("threadIdx", "blockIdx", "blockDim", "gridDim")
        ):
            return expr.parts[0].op == "threadIdx"
        if expr.kind == "call":
            name = expr.op.rsplit("::", 1)[-1]
            if name in _VOTES:
                return False
            helper = self._helpers.get(name)
            if (
                name in _OWN
                or name.startswith(("atomic", "__shfl"))
                or (helper and "threadIdx" in helper.words)
            ):
                return True
        if expr.kind == "method" and expr.op in _RANKS:
            return True
        if expr.kind == "lambda":
            return False
        return any(self.differs(p) for p in expr.parts)

    def _variable(self, name: str, at: int) -> tuple[str, int]:
        """The variable that a name stands for at a place: a name may be declared again in another block."""
        declared = [start for start, end in self._scopes.get(name, ()) if start <= at < end]
        return name, max(declared, default=-1)

    def _mark(self, statement: Stmt, apart: bool) -> None:
        for declared in statement.declared:
            if declared.value is not None and not declared.shared and self.differs(declared.value):
                self._differing.add(self._variable(declared.name, declared.start))
        for expr in statement.own_at_every_depth:
            if expr.kind in ("assign", "update") and expr.parts:
                self._mark_target(expr, apart)
        if statement.init is not None:
            self._mark(statement.init, apart)
        inside = apart or (
            statement.kind in ("if", "loop", "switch") and any(self.differs(e) for e in statement.exprs)
        )
        if inside and statement.step is not None:
            for expr in statement.step.walk():
                if expr.kind in ("assign", "update") and expr.parts:
                    self._mark_target(expr, True)
        for body in statement.bodies:
            self._mark(body, inside)

    def _mark_target(self, expr: Expr, apart: bool) -> None:
        target = expr.parts[0]
        if (apart and target.kind == "name") or any(self.differs(p) for p in expr.parts[1:]):
            while target.kind in ("index", "member") and target.parts:
                target = target.parts[0]
            is_memory = target is not expr.parts[0] and target.op not in self._local_arrays
            is_memory |= target.op in self._shared_names
            if target.kind == "name" and not is_memory:
                self._differing.add(self._variable(target.op, target.start))

    # ---- barriers

    def barrier_faults(self) -> tuple[Fault, ...]:
        """Barriers that not every thread reaches."""
        points = list(self._points(self._body, (), (), None, 0))
        barriers = [p for p in points if not p.kind]
        found = [
            Fault("divergent", p.start, p.end, p.cause.text, (p.cause.start, p.cause.end))
            for p in barriers
            if p.cause is not None
        ]
        for leaving in points:
            if leaving.kind and leaving.cause is not None:
                missed = next((b for b in barriers if _misses(leaving, b)), None)
                if missed is not None and missed.cause is None:
                    found.append(
                        Fault(
                            "exit", leaving.start, leaving.end, leaving.cause.text, (missed.start, missed.end)
                        )
                    )
        return tuple(found)

    def _points(
        self, statement: Stmt, path: _Path, loops: tuple[Stmt, ...], cause: Expr | None, cause_loop: int
    ) -> Iterator[_Point]:
        for own in statement.own():
            for expr in own.walk(lambdas=False):
                if self.is_barrier(expr):
                    yield _Point(expr.start, expr.end, path, loops, cause, cause_loop)
        if statement.kind in ("return", "break", "continue"):
            yield _Point(statement.start, statement.end, path, loops, cause, cause_loop, statement.kind)
        if statement.init is not None:
            yield from self._points(statement.init, path, loops, cause, cause_loop)
        within = (*loops, statement) if statement.kind in ("loop", "switch") else loops
        differing = next((e for e in statement.exprs if self.differs(e)), None)
        if statement.kind in ("if", "loop", "switch") and differing is not None:
            cause, cause_loop = differing, len(within)
        for i, body in enumerate(statement.bodies):
            branch = (*path, (statement.start, i)) if statement.kind == "if" else path
            yield from self._points(body, branch, within, cause, cause_loop)

    def is_barrier(self, expr: Expr) -> bool:
        """A barrier of the block, also inside a device function that is called."""
        if expr.kind == "call":
            name = expr.op.rsplit("::", 1)[-1]
            waits = name == "sync" and bool(expr.parts) and expr.parts[0].op in self._blocks
            return name in _BARRIERS or name in self._synchronizing or waits
        return expr.kind == "method" and expr.op == "sync" and expr.parts[0].op in self._blocks

    def may_wait(self, expr: Expr) -> bool:
        """Whether threads may wait for others there: a barrier of any kind, also in a helper or in assembly."""
        if self.is_barrier(expr) or (expr.kind == "other" and "bar" in expr.text):
            return True
        name = expr.op.rsplit("::", 1)[-1] if expr.kind in ("call", "method") else ""
        return name in _WAITS or "barrier" in name or name in self._may_synchronize

    # ---- shared memory that is used again

    def reuse_faults(self) -> tuple[Fault, ...]:
        """Writes to shared memory that other threads may still be reading, no barrier being in between."""
        arrays = self._shared()
        if not arrays:
            return ()
        walk = _Reuse(self, arrays, self._owned(arrays))
        walk.statement(self._body, False)
        return tuple(walk.found.values())

    def _shared(self) -> frozenset[str]:
        """Shared variables, and pointers into them."""
        names = set(self._shared_names)
        for statement in self._body.walk():
            for declared in statement.declared:
                if declared.pointer and declared.value is not None and base(declared.value) in names:
                    names.add(declared.name)
        return frozenset(names)

    def _owned(self, arrays: frozenset[str]) -> frozenset[tuple[str, str]]:
        """Elements that each thread writes for itself: arrays with the text of an index that differs."""
        found = set()
        for expr in self._body.expressions():
            if expr.kind == "assign" and base(expr.parts[0]) in arrays and self.differs(expr.parts[0]):
                found.add((base(expr.parts[0]), _element(expr.parts[0])))
        return frozenset(found)


def _scopes(function: Function) -> dict[str, list[tuple[int, int]]]:
    """Where declarations begin and end to hold, of names that stand for more than one variable."""
    found: dict[str, list[tuple[int, int]]] = {p.name: [(-1, function.end)] for p in function.params}

    def enter(statement: Stmt, end: int) -> None:
        for declared in statement.declared:
            found.setdefault(declared.name, []).append((declared.start, end))
        inner = statement.end if statement.kind in ("block", "loop", "if", "switch") else end
        if statement.init is not None:
            enter(statement.init, statement.end)
        for body in statement.bodies:
            enter(body, inner)

    if function.body is not None:
        enter(function.body, function.body.end)
    return {name: places for name, places in found.items() if len(places) > 1}


def faults(function: Function, helpers: Mapping[str, Function]) -> tuple[Fault, ...]:
    """Every fault of a kernel or device function."""
    if function.body is None:
        return ()
    threads = Threads(function, helpers)
    return threads.barrier_faults() + threads.reuse_faults()


class _Reuse:
    """Goes through the statements, each loop twice, with the reads since the last barrier."""

    def __init__(self, threads: Threads, arrays: frozenset[str], owned: frozenset[tuple[str, str]]) -> None:
        self._threads, self._arrays, self._owned = threads, arrays, owned
        self._reads: dict[tuple[str, str], tuple[Expr, int]] = {}  # element -> the read and its statement
        self._carried: list[frozenset[str]] = []
        self.found: dict[int, Fault] = {}

    def statement(self, statement: Stmt, guarded: bool) -> None:
        if statement.kind == "loop":
            self._loop(statement, guarded)
            return
        self._own(statement, guarded)
        if statement.kind == "if":
            apart = guarded or any(self._threads.differs(e) for e in statement.exprs)
            before, ends = dict(self._reads), []
            for body in statement.bodies:
                self._reads = dict(before)
                self.statement(body, apart)
                ends.append(self._reads)
            # A barrier in one branch counts for both: the other is the one in which nothing is used again.
            cleared = [e for e in ends if not before.keys() <= e.keys()]
            self._reads = cleared[0] if cleared else {k: v for e in (before, *ends) for k, v in e.items()}
            return
        for body in statement.bodies:
            self.statement(body, guarded)

    def _loop(self, statement: Stmt, guarded: bool) -> None:
        if statement.init is not None:
            self.statement(statement.init, guarded)
        # twice in each of 8 loops in one another are 256 times; what lies deeper is gone through once
        for again in (False, True) if len(self._carried) < 8 else (False,):
            self._carried.append(carried(statement) if again else frozenset())
            self._own(statement, guarded)
            for body in statement.bodies:
                self.statement(body, guarded)
            self._carried.pop()

    def _own(self, statement: Stmt, guarded: bool) -> None:
        for own in statement.own():
            parts = tuple(own.walk(lambdas=False))
            for expr in parts:
                if self._threads.may_wait(expr):
                    self._reads.clear()
            targets = {id(e.parts[0]) for e in parts if e.kind == "assign" and e.op == "="}
            reads = list(self._uses(own, targets))
            for target in _written(parts):
                self._write(target, statement.start)
            if not guarded:
                for read in reads:
                    self._reads[base(read), _element(read)] = (read, statement.start)

    def _uses(self, expr: Expr, targets: set[int]) -> Iterator[Expr]:
        """Elements of shared arrays that are read, the whole `s[i][j]` at once."""
        if expr.kind == "index" and base(expr) in self._arrays:
            if id(expr) not in targets:
                yield expr
            while expr.kind == "index":
                for part in expr.parts[1:]:
                    yield from self._uses(part, targets)
                expr = expr.parts[0]
            return
        if expr.kind == "name" and expr.op in self._arrays and id(expr) not in targets:
            yield expr
        if expr.kind == "unary" and expr.op == "&":
            return  # an address
        decides = expr.kind == "choice" or (expr.kind == "binary" and expr.op in ("&&", "||"))
        if decides and self._threads.differs(expr.parts[0]):
            yield from self._uses(expr.parts[0], targets)
            return  # the rest is read by some threads only
        for part in expr.parts:
            yield from self._uses(part, targets)

    def _write(self, target: Expr, statement: int) -> None:
        array, element = base(target), _element(target)
        if array not in self._arrays or any(
            e.op in names for names in self._carried for e in _subscripts(target)
        ):
            return
        for (read_array, read_element), (read, where) in self._reads.items():
            own = (array, read_element) in self._owned
            apart = read_element.isdigit() and (
                "+" in element or (element.isdigit() and element != read_element)
            )
            if read_array == array and where != statement and not own and not apart and _alike(read, target):
                self.found.setdefault(
                    target.start, Fault("reuse", target.start, target.end, array, (read.start, read.end))
                )


def _alike(read: Expr, write: Expr) -> bool:
    """Both are elements, or both the whole variable: the name of an array alone is only its address."""
    return read.kind == write.kind


def _misses(leaving: _Point, barrier: _Point) -> bool:
    """Whether a thread that leaves there does not come to the barrier, which the others do."""
    exclusive = any(a[0] == b[0] and a[1] != b[1] for a in leaving.path for b in barrier.path)
    if (
        exclusive
        and leaving.kind == "return"
        and not (set(map(id, leaving.loops)) & set(map(id, barrier.loops)))
    ):
        return False
    if leaving.kind == "return":
        around = {id(x) for x in leaving.loops} & {id(x) for x in barrier.loops}
        return barrier.start > leaving.end or bool(around)
    if not leaving.loops or leaving.cause_loop < len(leaving.loops):
        return False  # the whole loop depends on the condition: its barriers are told themselves
    loop = leaving.loops[-1]
    if loop.kind == "switch":
        return False
    inside = any(x is loop for x in barrier.loops)
    return inside and (leaving.kind == "break" or (barrier.start > leaving.end and not exclusive))


def _written(parts: tuple[Expr, ...]) -> Iterator[Expr]:
    for part in parts:
        if part.kind in ("assign", "update") and part.parts:
            yield part.parts[0]
        elif part.kind == "call" and part.op.startswith("atomic") and part.parts:
            first = part.parts[0]
            yield first.parts[0] if first.kind == "unary" and first.op == "&" else first


def base(expr: Expr) -> str:
    """The variable behind an element, an address or a cast of it."""
    while expr.kind in ("index", "unary", "cast", "binary", "member") and expr.parts:
        expr = expr.parts[0]
    return expr.op if expr.kind == "name" else ""


def _element(expr: Expr) -> str:
    """The subscripts of an element, outermost first; empty for a variable."""
    parts: list[str] = []
    while expr.kind == "index":
        parts[:0] = [p.text.replace(" ", "") for p in expr.parts[1:]]
        expr = expr.parts[0]
    return "|".join(parts)


def _subscripts(element: Expr) -> Iterator[Expr]:
    while element.kind == "index":
        for part in element.parts[1:]:
            yield from part.walk()
        element = element.parts[0]


def carried(loop: Stmt) -> frozenset[str]:
    """Variables that have another value in the next pass, and those made of them."""
    body = [s for b in loop.bodies for s in b.walk()]
    declared = {d.name: d.value for s in body for d in s.declared}
    exprs = [e for s in (loop, *body) for o in s.own() for e in o.walk()]
    changed = [
        (e.parts[0].op, e.parts[-1])
        for e in exprs
        if e.kind in ("assign", "update") and e.parts[0].kind == "name"
    ]
    found = {name for name, _ in changed if name not in declared and name not in _inner(loop)}
    while True:
        made = {n for n, v in declared.items() if v is not None and any(e.op in found for e in v.walk())}
        if made <= found:
            return frozenset(found)
        found |= made


def _inner(loop: Stmt) -> set[str]:
    """Variables of loops inside: they begin anew in each pass."""
    inits = [s.init for b in loop.bodies for s in b.walk() if s.init is not None]
    return {d.name for s in inits for d in s.declared}


def _whole_blocks(body: Stmt) -> frozenset[str]:
    """Variables that stand for the whole block of cooperative groups."""
    return frozenset(
        d.name for s in body.walk() for d in s.declared if d.value is not None and "this_thread_block" in d.value.text
        and "tiled_partition" not in d.value.text
    )  # fmt: skip


def _may_wait(name: str, helpers: Mapping[str, Function], seen: frozenset[str]) -> bool:
    """Whether a barrier stands anywhere in the helper, or in what it calls."""
    helper = helpers.get(name)
    if helper is None or helper.body is None or name in seen:
        return False
    assembly = any(e.kind == "other" and "bar" in e.text for e in helper.body.expressions())
    if assembly or helper.words & {*_BARRIERS, *_WAITS}:
        return True
    return any(_may_wait(c.name, helpers, seen | {name}) for c in helper.calls)


def _has_barrier(name: str, helpers: Mapping[str, Function], seen: frozenset[str]) -> bool:
    """Whether a call of the helper waits for the block; not where a template parameter decides it."""
    helper = helpers.get(name)
    if helper is None or helper.body is None or name in seen:
        return False
    called = [e.op.rsplit("::", 1)[-1] for e in _always(helper.body) if e.kind == "call"]
    return any(c in _BARRIERS or _has_barrier(c, helpers, seen | {name}) for c in called)


def _always(statement: Stmt) -> Iterator[Expr]:
    """Expressions of a statement, without the branches of `if constexpr`."""
    for own in statement.own():
        yield from own.walk()
    if statement.init is not None:
        yield from _always(statement.init)
    for body in statement.bodies if statement.op != "constexpr" else ():
        yield from _always(body)
