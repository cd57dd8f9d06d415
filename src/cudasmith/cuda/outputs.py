"""What a kernel writes through its pointer parameters, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from cudasmith.cuda.indices import BUILTIN, declarations, everything_in
from cudasmith.cuda.statements import Declared, Expr, Stmt
from cudasmith.cuda.symbols import Function
from cudasmith.cuda.threads import base, carried


@attrs.frozen
class Write:
    """One write to an element. `kind`: plain, adds (`+=` and the like) or atomic. `where`: what encloses it."""

    kind: str
    target: Expr
    where: tuple[tuple[Stmt, int], ...]  # statement and which of its bodies, from outside in


@attrs.frozen
class GlobalIndex:
    """A sum `blockIdx.a * blockDim.b + c`: the axes, and what is added (`threadIdx.x`, `blockIdx.y`, ...)."""

    block: str
    size: str
    added: tuple[str, ...]
    start: int
    end: int


def writes(kernel: Function, param: str) -> tuple[Write, ...]:
    """Every write through the parameter, or through a pointer made of it."""
    if kernel.body is None:
        return ()
    names = {param}
    for name, made in declarations(kernel).items():
        if made.value is not None and (made.pointer or "*" in made.value.text) and base(made.value) in names:
            names.add(name)
    return tuple(w for w in _writes(kernel.body, ()) if base(w.target) in names)


def _writes(statement: Stmt, where: tuple[tuple[Stmt, int], ...]) -> Iterator[Write]:
    for own in statement.own():
        for expr in own.walk(lambdas=False):
            if expr.kind == "assign" and expr.parts[0].kind in ("index", "unary"):
                yield Write("plain" if expr.op == "=" else "adds", expr.parts[0], where)
            elif expr.kind == "call" and expr.op.startswith("atomic") and expr.parts:
                yield Write("atomic", expr.parts[0], where)
    if statement.init is not None:
        yield from _writes(statement.init, where)
    for i, body in enumerate(statement.bodies):
        yield from _writes(body, (*where, (statement, i)))


def skipped(kernel: Function, param: str) -> Stmt | None:
    """A branch on data outside which the parameter's element is never written; None where there is none.

    Bounds (`i < n`) are no data. What is written at a place that data decides is left alone.
    """
    every = writes(kernel, param)
    if not every or any(w.kind != "plain" for w in every) or kernel.body is None:
        return None
    data = _data(kernel)
    for statement, _ in every[0].where:
        if statement.kind != "if" or not any(_from_data(e, data, kernel) for e in statement.exprs):
            continue
        branches = {i for w in every for s, i in w.where if s is statement}
        inside = all(any(s is statement for s, _ in w.where) for w in every)
        fixed = all(_own_element(w, data, kernel) for w in every)
        if inside and len(branches) == 1 and fixed:
            return statement
    return None


def _own_element(write: Write, data: set[str], kernel: Function) -> bool:
    """Whether each pass of the loops around writes another element, at a place that no data decides."""
    index = [p for e in (write.target,) for p in e.parts[1:]]
    if not index or any(_from_data(p, data, kernel) for p in index):
        return False
    made = declarations(kernel)
    if not any(e.op == "threadIdx" for p in index for e in everything_in(p, made)):
        return False  # one of the block's threads writes it
    names = {e.op for p in index for e in p.walk()}
    return all(carried(s) & names for s, _ in write.where if s.kind == "loop")


def _data(kernel: Function) -> set[str]:
    """Variables made of what is read from memory."""
    found: set[str] = set()
    assert kernel.body is not None
    while True:
        before = len(found)
        for statement in kernel.body.walk():
            found |= {
                d.name
                for d in statement.declared
                if d.value is not None and _from_data(d.value, found, kernel)
            }
        for expr in kernel.body.expressions():
            if (
                expr.kind == "assign"
                and expr.parts[0].kind == "name"
                and _from_data(expr.parts[1], found, kernel)
            ):
                found.add(expr.parts[0].op)
        if len(found) == before:
            return found


def _from_data(expr: Expr, data: set[str], kernel: Function) -> bool:
    pointers = {p.name for p in kernel.params if p.is_pointer}
    for part in expr.walk():
        if part.kind == "name" and part.op in data:
            return True
        if part.kind == "index" and base(part) in pointers:
            return True
        if (
            part.kind in ("call", "unary")
            and part.op in ("__ldg", "*")
            and part.parts
            and base(part.parts[0]) in pointers
        ):
            return True
    return False


def global_indices(kernel: Function) -> tuple[GlobalIndex, ...]:
    """Every sum with a product of blockIdx and blockDim in it."""
    if kernel.body is None:
        return ()
    found = []
    sums = [
        e for s in kernel.body.walk() for o in s.own() for e in o.walk() if e.kind == "binary" and e.op == "+"
    ]
    inner = {id(p) for s in sums for p in s.parts}
    for expr in sums:
        if id(expr) in inner:
            continue
        terms = list(_terms(expr))
        products = [a for t in terms if (a := _product(t)) is not None]
        if len(products) == 1:
            added = tuple(_spelled(t) for t in terms if _product(t) is None)
            found.append(GlobalIndex(*products[0], added, expr.start, expr.end))
    return tuple(found)


@attrs.frozen
class GridLoop:
    """A loop of a thread that begins at its index in the whole grid. `step`: factors of what it advances by, casts aside."""

    step: tuple[str, ...]
    axis: str
    start: int
    end: int


def grid_loops(kernel: Function) -> Iterator[GridLoop]:
    """`for (i = blockIdx.a * blockDim.a + threadIdx.a; ...; i += step)`, through variables that hold start and step."""
    if kernel.body is None:
        return
    made = declarations(kernel)
    for loop in (s for s in kernel.body.walk() if s.kind == "loop" and s.op == "for"):
        step = loop.step
        if step is None or step.kind != "assign" or step.op != "+=" or step.parts[0].kind != "name":
            continue
        first = _first(loop, step.parts[0].op, made)
        terms = list(_terms(first)) if first is not None else []
        products = [a for t in terms if (a := _product(t)) is not None]
        if len(terms) == 2 and len(products) == 1 and products[0][0] == products[0][1]:
            axis = products[0][0]
            if f"threadIdx.{axis}" in [_spelled(t) for t in terms]:
                yield GridLoop(tuple(_factors(step.parts[1], made)), axis, step.start, step.end)


def _first(loop: Stmt, name: str, made: Mapping[str, Declared]) -> Expr | None:
    """What a loop's variable begins with."""
    declared = [d for d in (loop.init.declared if loop.init is not None else ()) if d.name == name]
    value = (
        declared[0].value if declared else made[name].value if name in made and loop.init is None else None
    )
    while value is not None and (value.kind == "cast" or (value.kind == "name" and value.op in made)):
        value = value.parts[0] if value.kind == "cast" else made[value.op].value
    return value


def _factors(expr: Expr, made: Mapping[str, Declared], depth: int = 0) -> Iterator[str]:
    while expr.kind == "cast" and expr.parts:
        expr = expr.parts[0]
    value = made[expr.op].value if expr.kind == "name" and expr.op in made else None
    if value is not None and depth < 8:
        yield from _factors(value, made, depth + 1)
    elif expr.kind == "binary" and expr.op == "*":
        for part in expr.parts:
            yield from _factors(part, made, depth)
    else:
        yield _spelled(expr)


def endless(kernel: Function) -> Iterator[Stmt]:
    """Loops whose condition compares variables of the thread that nothing in the loop changes or leaves by."""
    statements = list(kernel.body.walk()) if kernel.body is not None else []
    declared = [d for s in statements for d in s.declared]
    own = {d.name for d in declared if not d.shared and not d.static and "&" not in d.type + d.name}
    own |= {p.name for p in kernel.params if "&" not in p.type}
    for loop in (s for s in statements if s.kind == "loop" and s.op in ("for", "while") and s.exprs):
        names = {n for c in loop.exprs for n in _names(c)}
        plain = all(e.kind in ("binary", "name", "number", "member") for c in loop.exprs for e in c.walk())
        known = all(n in own or n.isupper() or n in BUILTIN for n in names)
        if plain and names & own and known and not _goes_on(loop, names):
            yield loop


def _goes_on(loop: Stmt, names: set[str]) -> bool:
    """Whether something in the loop may change the variables or leave it."""
    inner = [s for b in loop.bodies for s in b.walk()]
    step = list(loop.step.walk()) if loop.step is not None and not _adds_nothing(loop.step) else []
    for expr in [*(e for s in inner for o in s.own() for e in o.walk()), *step]:
        if expr.kind in ("assign", "update") and base(expr.parts[0]) in names:
            return True
        if expr.kind in ("call", "method", "other", "lambda", "unary") and (
            names & _names(expr) or expr.op == "__trap"
        ):
            return True
    return any(s.kind in ("break", "return", "throw", "other") for s in inner)


def _adds_nothing(step: Expr) -> bool:
    return step.kind == "assign" and step.op in ("+=", "-=") and step.parts[1].text == "0"


def _names(expr: Expr) -> set[str]:
    return {e.op for e in expr.walk() if e.kind == "name"}


def _terms(expr: Expr) -> Iterator[Expr]:
    if expr.kind == "binary" and expr.op == "+":
        for part in expr.parts:
            yield from _terms(part)
    else:
        yield expr


def _product(expr: Expr) -> tuple[str, str] | None:
    """Axes of `blockIdx.a * blockDim.b`, also with casts."""
    if expr.kind != "binary" or expr.op != "*":
        return None
    axes = dict(_builtin(p) for p in expr.parts)
    block, size = axes.get("blockIdx"), axes.get("blockDim")
    return (block, size) if block and size else None


def _builtin(expr: Expr) -> tuple[str, str]:
    while expr.kind == "cast" and expr.parts:
        expr = expr.parts[0]
    return (expr.parts[0].op, expr.op) if expr.kind == "member" and expr.parts else ("", "")


def _spelled(expr: Expr) -> str:
    return ".".join(_builtin(expr)).strip(".") or expr.text


def plain_index(kernel: Function, write: Write, indices: Mapping[str, GlobalIndex]) -> bool:
    """Whether the write is at `blockIdx.x * blockDim.x + threadIdx.x` itself, once per thread."""
    loops = any(s.kind == "loop" for s, _ in write.where)
    return not loops and len(write.target.parts) == 2 and write.target.parts[1].op in indices


def plain_indices(kernel: Function) -> dict[str, GlobalIndex]:
    """Variables that are `blockIdx.x * blockDim.x + threadIdx.x` and nothing else."""
    changed = {
        e.parts[0].op
        for e in (kernel.body.expressions() if kernel.body else ())
        if e.kind in ("assign", "update")
    }
    found = {}
    for index in global_indices(kernel):
        for name, made in declarations(kernel).items():
            own = made.value is not None and (made.value.start, made.value.end) == (index.start, index.end)
            if (
                own
                and (index.block, index.size, index.added) == ("x", "x", ("threadIdx.x",))
                and name not in changed
            ):
                found[name] = index
    return found
