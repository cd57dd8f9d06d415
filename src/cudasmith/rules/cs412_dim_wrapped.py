"""CS412."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cudasmith.cuda.numbers import integer_type
from cudasmith.cuda.statements import Expr
from cudasmith.cuda.symbols import Function
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Part, Subject, Unit
from cudasmith.source.names import walk

_DIMS = ("size", "stride", "select", "narrow", "unsqueeze", "squeeze", "transpose", "movedim", "sum")
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"
_DIM_HEAD = "torch::Tensor scale(torch::Tensor x, int64_t dim) {"
_PASSED = ("double by) {\n  x = checked", "int64_t dim) {\n  const double by = x.size(dim);\n  x = checked")
_LOOP = "  int64_t outer = 1;\n  for (int64_t d = 0; d < dim; ++d) outer *= x.size(d);  // HERE\n"
_GUARD = "  const c10::cuda::CUDAGuard guard(x.device());\n"


def _dim(body: str = _LOOP, *more: tuple[str, str]) -> str:
    return edit(_PASSED, (_GUARD, body + _GUARD), *more)


def _good(*more: tuple[str, str]) -> str:
    return _dim(_LOOP.replace("  // HERE", ""), *more)


class DimWrapped(Rule):
    """A negative `dim` is wrapped before the host function computes with it.

    PyTorch counts dim from the end as well: -1 is the last. `x.size(-1)` understands it, a loop `d < dim`, `dim + 1` or
    `x.sizes()[dim]` does not: wrong strides, or reads outside. Any of these counts: at::maybe_wrap_dim, a
    comparison of dim with 0, a remainder, the same in Python before the call, or calls that pass constants which are
    not negative.

    Bad:  `for (int64_t d = dim + 1; d < x.dim(); ++d) inner *= x.size(d);`
    Good: `if (dim < 0) dim += x.dim();` above it
    """

    code = "CS412"
    name = "dim-wrapped"
    severity = severities("warning", "warning")
    BAD = (
        _dim(),
        _dim("  const int64_t inner = x.stride(dim), next = dim + 1;  // HERE\n"),
        _dim(_LOOP, ("self.ext, x, self.by", "self.ext, x, -1")),
        edit((_HEAD, _DIM_HEAD + "\n  const double by = x.sizes()[dim];  // HERE")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        _good(
            (_PASSED[1].split("\n")[1], "  if (dim < 0) dim += x.dim();\n  const double by = x.size(dim);")
        ),
        _good(("x.size(dim);", "x.size(dim);\n  dim = at::maybe_wrap_dim(dim, x.dim());")),
        _good(("x.size(dim);", 'x.size(dim);\n  TORCH_CHECK(dim >= 0 && dim < x.dim(), "dim");')),
        _good(("ext.scale(x, by)", "ext.scale(x, 1)")),
        _good(("ext.scale(x, by)", "ext.scale(x, by % x.dim())")),
        _good(("        self.by = by\n", "        self.by = by if by >= 0 else by + 2\n")),
        _dim(""),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for exported, part, function in unit.hosts():
                for position, param in enumerate(function.params):
                    if integer_type(param.type) in ("int", "int64") and function.body is not None:
                        yield from self._param(subject, unit, exported, part, function, position)

    def _param(
        self, subject: Subject, unit: Unit, exported: Exported, part: Part, function: Function, position: int
    ) -> Verdicts:
        assert function.body is not None
        param = function.params[position]
        every = list(function.body.expressions())
        computed = list(_computed(every, param.name))
        if not _is_dim(every, param.name) or not computed or _wrapped(every, param.name):
            return
        negative = _passed_negative(subject, unit, exported.name, position)
        if negative is False:
            return
        span = part.span(computed[0].start, computed[0].end)
        said = "which is negative in a call of this file" if negative else "which may be negative"
        message = f"{function.name} computes with {param.name}, {said}, and never wraps it"
        owner = next((p.name for p in function.params if p.is_tensor), None)
        help = f"first: if ({param.name} < 0) {param.name} += {owner or 'x'}.dim();"
        fix = None
        if owner is not None and "const" not in param.type and "&" not in param.type:
            at = function.body.start + 1
            place = part.region.span(at, at)
            fix = (
                Fix(place, f"\n  if ({param.name} < 0) {param.name} += {owner}.dim();", safe=True)
                if place
                else None
            )
        confidence = "high" if negative else "medium"
        yield self.found(subject, span, message, help=help, fix=fix, confidence=confidence)  # type: ignore[arg-type]


def _is_dim(every: list[Expr], name: str) -> bool:
    """Whether the number names a dimension of a tensor."""
    for expr in every:
        if expr.kind == "method" and expr.op in _DIMS and any(p.op == name for p in expr.parts[1:]):
            return True
        if expr.kind == "index" and expr.parts[-1].op == name and expr.parts[0].op in ("sizes", "strides"):
            return True
    return False


def _computed(every: list[Expr], name: str) -> Iterator[Expr]:
    """Where it is computed with as if it were not negative."""
    for expr in every:
        if (
            expr.kind == "binary" and expr.op in ("+", "-", "<", "<=", ">", ">=", "*") and _side(expr, name)
        ) or (
            expr.kind == "index" and expr.parts[-1].op == name and expr.parts[0].op in ("sizes", "strides")
        ):
            yield expr


def _side(expr: Expr, name: str) -> bool:
    return any(p.kind == "name" and p.op == name for p in expr.parts)


def _wrapped(every: list[Expr], name: str) -> bool:
    for expr in every:
        if expr.kind == "call" and "wrap" in expr.op and any(p.op == name for p in expr.parts):
            return True
        if expr.kind == "binary" and _side(expr, name):
            zero = any(p.kind == "number" and p.op == "0" for p in expr.parts)
            if expr.op in ("%", "==") or (zero and expr.op in ("<", "<=", ">", ">=")):
                return True
        if expr.kind == "assign" and expr.parts[0].op == name:
            return True
    return False


def _passed_negative(subject: Subject, unit: Unit, exported: str, position: int) -> bool | None:
    """Whether the calls pass a negative number there: True, False, or None for not known."""
    at_problem = [a[position] for n, a in unit.followed.called if n == exported and position < len(a)]
    numbers = [v for v in at_problem if isinstance(v, int)]
    if at_problem and len(numbers) == len(at_problem):
        return any(v < 0 for v in numbers)
    calls = [c for c in subject.file.handles.calls if c.function == exported and len(c.placed()) > position]
    found = {_negative(subject, c.arguments[position]) for c in calls}
    return True if True in found else None if None in found else False


def _negative(subject: Subject, node: ast.expr, depth: int = 0) -> bool | None:
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        return True
    if isinstance(node, ast.Constant):
        return False
    if any(isinstance(n, (ast.Mod, ast.IfExp)) for n in walk(node)):
        return False
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if _compared(subject, name):
        return False
    values = {_negative(subject, v, depth + 1) for v in _values(subject, node, name)} if depth < 4 else {None}
    return True if True in values else None if None in values or not values else False


def _values(subject: Subject, node: ast.expr, name: str) -> list[ast.expr]:
    """What the name is given: assignments, and for a parameter of forward the arguments of `apply`."""
    file = subject.file
    function = file.enclosing(node)
    names = [a.arg for a in function.args.args] if function is not None else []
    if isinstance(node, ast.Name) and name in names and names[0] == "ctx":
        at = names.index(name) - 1
        applied = [
            n for n in walk(file.tree) if isinstance(n, ast.Call) and getattr(n.func, "attr", "") == "apply"
        ]
        owner = next((c.name for c in file.classes if function in c.body), "")
        return [c.args[at] for c in applied if _owner(c) == owner and len(c.args) > at]
    return [
        v for v in file.bound.get(name, ()) if not (isinstance(v, ast.Name) and v.id == name and v is node)
    ]


def _owner(call: ast.Call) -> str:
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return value.id if isinstance(value, ast.Name) else ""


def _compared(subject: Subject, name: str) -> bool:
    """`if dim < 0` anywhere in the Python text."""
    for node in walk(subject.file.tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.GtE, ast.LtE, ast.Gt)):
            left = node.left
            mine = getattr(left, "id", getattr(left, "attr", None)) == name
            zero = isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value == 0
            if mine and zero and name:
                return True
    return False
