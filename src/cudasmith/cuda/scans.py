"""Loops of a kernel in which one thread runs along a row with a running value."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from cudasmith.cuda.indices import declarations, everything_in
from cudasmith.cuda.statements import Declared, Expr, Stmt
from cudasmith.cuda.symbols import Function

MAX_DEPTH = 12  # variables made of each other, and operators


@attrs.frozen
class SerialScan:
    """`for (k ...) { a += x[i]; y[j] = a; }`. `step`: 1 upwards, -1 downwards.

    `reads` is the index `i`, `writes` the index `j`; `counter` is k.
    """

    start: int
    end: int
    counter: str
    step: int
    reads: Expr
    writes: Expr


def serial_scans(kernel: Function) -> tuple[SerialScan, ...]:
    """Every such loop of the kernel."""
    if kernel.body is None:
        return ()
    found = (_scan(s) for s in kernel.body.walk() if s.kind == "loop" and s.op == "for")
    return tuple(s for s in found if s is not None)


def _scan(loop: Stmt) -> SerialScan | None:
    step = loop.step
    if step is None or not step.parts or step.parts[0].kind != "name" or step.op not in ("++", "--"):
        return None
    exprs = [e for b in loop.bodies for e in b.expressions()]
    running = [e for e in exprs if e.kind == "assign" and e.parts[0].kind == "name" and _accumulates(e)]
    for update in running:
        reads = [e for e in update.parts[1].walk() if e.kind == "index" and len(e.parts) == 2]
        stores = [
            e.parts[0]
            for e in exprs
            if e.kind == "assign"
            and e.parts[0].kind == "index"
            and any(p.op == update.parts[0].op for p in e.parts[1].walk())
        ]
        if reads and stores:
            direction = 1 if step.op == "++" else -1
            return SerialScan(
                loop.start,
                loop.exprs[0].end if loop.exprs else step.end,
                step.parts[0].op,
                direction,
                reads[0].parts[1],
                stores[0].parts[1],
            )
    return None


def _accumulates(assign: Expr) -> bool:
    """`a += v`, `a = a * v`, `a = fmaxf(a, v)`."""
    name = assign.parts[0].op
    return assign.op != "=" or any(p.kind == "name" and p.op == name for p in assign.parts[1].walk())


def mirrored(scan: SerialScan, kernel: Function) -> bool:
    """Whether the loop's counter is subtracted in the index: it runs upwards and the index downwards."""
    parts = everything_in(scan.reads, declarations(kernel))
    differences = [p.parts[1] for p in parts if p.kind == "binary" and p.op == "-"]
    return any(p.op == scan.counter for d in differences for p in d.walk())


def stride(
    expr: Expr, counter: str, declared: Mapping[str, Declared], known: Mapping[str, int], depth: int = 0
) -> int | None:
    """By how much the index grows when the counter grows by one; None where not known."""
    if depth > MAX_DEPTH:
        return None
    if not any(p.kind == "name" and p.op == counter for p in everything_in(expr, declared)):
        return 0
    if expr.kind == "name":
        made = declared.get(expr.op)
        if expr.op == counter:
            return 1
        value = made.value if made is not None else None
        return stride(value, counter, declared, known, depth + 1) if value is not None else None
    if expr.kind == "cast" and expr.parts:
        return stride(expr.parts[0], counter, declared, known, depth + 1)
    if expr.kind != "binary":
        return None
    left, right = (stride(p, counter, declared, known, depth + 1) for p in expr.parts)
    if left is None or right is None:
        return None
    if expr.op in ("+", "-"):
        return left + right if expr.op == "+" else left - right
    if expr.op == "*" and 0 in (left, right):
        times = _number(expr.parts[1 if right == 0 else 0], known)
        return None if times is None else (left or right) * times
    return None


def _number(expr: Expr, known: Mapping[str, int]) -> int | None:
    if expr.kind == "number" and expr.op.isdigit():
        return int(expr.op)
    return known.get(expr.op) if expr.kind == "name" else None
