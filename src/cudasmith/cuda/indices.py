"""Types of the index expressions of a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from cudasmith.cuda.numbers import Num, combined, integer_type
from cudasmith.cuda.statements import Declared, Expr
from cudasmith.cuda.symbols import Function

BUILTIN = ("threadIdx", "blockIdx", "blockDim", "gridDim")


@attrs.frozen
class Access:
    """`pointer[index]` of a parameter. `type`: what the index is computed in; None where not known.

    `made`: the declaration of the variable that is the index, if it is one.
    """

    pointer: str
    index: Expr
    type: str | None
    made: Declared | None


def accesses(kernel: Function) -> tuple[Access, ...]:
    """Every element of a pointer parameter that the kernel reads or writes by a subscript."""
    if kernel.body is None:
        return ()
    pointers = {p.name for p in kernel.params if p.is_pointer}
    declared = declarations(kernel)
    types = _types(kernel, declared)
    found = []
    for expr in kernel.body.expressions():
        if expr.kind == "index" and len(expr.parts) == 2 and expr.parts[0].op in pointers:
            index = expr.parts[1]
            found.append(Access(expr.parts[0].op, index, computed_in(index, types), declared.get(index.op)))
    return tuple(found)


def widens(kernel: Function) -> bool:
    """Whether the kernel computes some index in 64 bits: then the narrow ones are chosen."""
    expressions = kernel.body.expressions() if kernel.body is not None else ()
    wide = ("int64", "uint64")
    return any(a.type in wide for a in accesses(kernel)) or any(
        e.kind == "cast" and integer_type(e.op) in wide for e in expressions
    )


def without_parentheses(function: Function) -> tuple[Expr, ...]:
    """Subscripts that add three or more terms, two of them products with no parentheses around."""
    expressions = function.body.expressions() if function.body is not None else ()
    return tuple(
        e.parts[1] for e in expressions if e.kind == "index" and len(e.parts) == 2 and _mixed(e.parts[1])
    )


def _mixed(index: Expr) -> bool:
    depth, outer = 0, ""
    for char in index.text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0)
        outer += char if depth == 0 else ""
    terms = outer.split("+")
    return len(terms) >= 3 and sum("*" in term for term in terms) >= 2


def declarations(function: Function) -> dict[str, Declared]:
    """Local variables by name; of several of one name the last."""
    statements = function.body.walk() if function.body is not None else ()
    return {d.name: d for s in statements for d in s.declared}


def global_product(index: Expr, declared: Mapping[str, Declared]) -> bool:
    """Whether a product goes into the index, also through variables: it may be large."""
    return any(e.kind == "binary" and e.op == "*" for e in everything_in(index, declared))


def everything_in(expr: Expr, declared: Mapping[str, Declared]) -> Iterator[Expr]:
    """The expression, all below it, and the same of the first values of its variables; each variable once."""
    seen: set[str] = set()
    todo = [expr]
    while todo:
        for part in todo.pop().walk():
            yield part
            made = declared.get(part.op) if part.kind == "name" and part.op not in seen else None
            if made is not None and made.value is not None:
                seen.add(part.op)
                todo.append(made.value)


def computed_in(expr: Expr, types: Mapping[str, str | None]) -> str | None:
    """The integer type of an expression: int, unsigned, int64, uint64; None where not known."""
    if expr.kind == "number":
        text = expr.op.lower()
        return "int64" if "l" in text else "unsigned" if text.endswith("u") else "int"
    if expr.kind == "name":
        return types.get(expr.op)
    if expr.kind == "member" and expr.parts and expr.parts[0].op in BUILTIN:
        return "unsigned"
    if expr.kind == "cast":
        return integer_type(expr.op)
    if expr.kind in ("unary", "update") and expr.parts:
        return computed_in(expr.parts[0], types)
    if expr.kind == "binary" and expr.op in ("<<", ">>"):
        return computed_in(expr.parts[0], types)
    if expr.kind in ("binary", "choice"):
        return _together([computed_in(p, types) for p in expr.parts[-2:]])
    if expr.kind == "call" and expr.op.rsplit("::", 1)[-1] in ("min", "max"):
        return _together([computed_in(p, types) for p in expr.parts])
    return None


def _together(types: list[str | None]) -> str | None:
    known = [t for t in types if t is not None]
    if len(known) != len(types) or len(known) != 2:
        return None
    return combined("+", *(Num("atom", name=t, type=t) for t in known)).type


def _types(kernel: Function, declared: Mapping[str, Declared]) -> dict[str, str | None]:
    types: dict[str, str | None] = {p.name: integer_type(p.type) for p in kernel.params}
    changed = set(_changed(kernel))
    for name, variable in declared.items():
        spelled = integer_type(variable.type)
        value = computed_in(variable.value, types) if variable.value is not None else None
        types[name] = value if variable.type == "auto" else spelled
        # 64 bits that hold a product of 32: it has wrapped before it is kept.
        narrow = value in ("int", "unsigned") and spelled in ("int64", "uint64") and name not in changed
        if narrow and variable.value is not None and any(e.op == "*" for e in variable.value.walk()):
            types[name] = value
    return types


def _changed(kernel: Function) -> Iterator[str]:
    """Names of variables that are changed after their declaration."""
    assert kernel.body is not None
    for expr in kernel.body.expressions():
        if expr.kind in ("assign", "update") and expr.parts and expr.parts[0].kind == "name":
            yield expr.parts[0].op
