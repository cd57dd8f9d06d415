"""Expressions over free sizes: "s77", "s27 - 1", "Max(1, s0)//2". Evaluated without running code."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: lambda a, b: Fraction(a) / Fraction(b),
}
_CALLS: dict[str, Callable[..., Any]] = {
    "Max": max,
    "max": max,
    "Min": min,
    "min": min,
    "Abs": abs,
    "floor": math.floor,
    "ceiling": math.ceil,
    "FloorDiv": operator.floordiv,
    "CleanDiv": operator.floordiv,
    "CeilDiv": lambda a, b: -(-a // b),
    "Mod": operator.mod,
    "PythonMod": operator.mod,
}
_MAX_POWER = 8
_LIMIT = 1 << 62


def evaluate(text: str, sizes: Mapping[str, int]) -> int | None:
    """The value of `text` at these sizes, or None when it uses a name or a form that is not known."""
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body, sizes)
    except (SyntaxError, KeyError, TypeError, ValueError, ArithmeticError, RecursionError):
        return None
    return math.floor(value) if abs(value) < _LIMIT else None


def _value(node: ast.expr, sizes: Mapping[str, int]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        return sizes[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, sizes)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, sizes), _value(node.right, sizes)
        if isinstance(node.op, ast.Pow) and 0 <= right <= _MAX_POWER:
            return left**right
        return _BINARY[type(node.op)](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _CALLS[node.func.id](*(_value(a, sizes) for a in node.args))
    raise ValueError(ast.dump(node))
