"""Sizes as text: sympy expressions over the free sizes, in the Python that `Value.dims` allows."""

from __future__ import annotations

from typing import Any

import sympy

INT64_MAX = (1 << 63) - 1
_FLOOR = {"FloorDiv", "CleanDiv"}
_MOD = {"Mod", "PythonMod"}


class NotWritable(Exception):
    """This size has no form in + - * // % max min, or depends on data."""


def size_text(size: Any) -> str:
    """A dimension (int or SymInt) as Python. Raises: NotWritable."""
    if isinstance(size, int):
        return str(size)
    return expression_text(size.node.expr)


def expression_text(expr: sympy.Expr) -> str:
    """Raises: NotWritable."""
    numerator, denominator = expr.as_numer_denom()
    if denominator != 1:  # an exact division that sympy wrote as a fraction: (s - 1)/2
        return f"({_write(numerator)}) // ({_write(denominator)})"
    return _write(expr)


def size_hint(size: Any) -> int:
    """The size in the problem itself. Raises: NotWritable for a size that only running can tell."""
    if isinstance(size, int):
        return size
    hint = size.node.hint
    if hint is None:
        raise NotWritable(f"the size {size} depends on the values in a tensor")
    return int(hint)


def bound(value: Any, infinite: int) -> int:
    """A range bound as an int64."""
    return int(value) if getattr(value, "is_Integer", False) and abs(value) < INT64_MAX else infinite


def _write(expr: sympy.Expr) -> str:
    name = type(expr).__name__
    if expr.is_Integer:
        return str(int(expr))
    if expr.is_Symbol:
        if str(expr).startswith(("u", "zuf", "zf")):
            raise NotWritable(f"the size {expr} depends on the values in a tensor")
        return str(expr)
    if name in _FLOOR:
        return f"{_atom(expr.args[0])} // {_atom(expr.args[1])}"
    if name in _MOD:
        return f"{_atom(expr.args[0])} % {_atom(expr.args[1])}"
    if name in ("Max", "Min"):
        return f"{name.lower()}({', '.join(_write(a) for a in expr.args)})"
    if expr.is_Add:
        return _sum(expr)
    if expr.is_Mul and all(a.is_integer for a in expr.args):
        return " * ".join(_atom(a) for a in expr.args)
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return " * ".join([_atom(expr.base)] * int(expr.exp))
    if name == "floor" or (name == "FloorToInt" and len(expr.args) == 1):
        numerator, denominator = expr.args[0].as_numer_denom()
        return f"{_atom(numerator)} // {_atom(denominator)}"
    raise NotWritable(f"the size {expr} is not made of + - * // %")


def _sum(expr: sympy.Expr) -> str:
    text = ""
    for term in sorted(expr.args, key=lambda a: (a.is_number, str(a))):
        coefficient, rest = term.as_coeff_Mul()
        negative = coefficient.is_negative
        part = _atom(-term if negative else term) if not (rest.is_Mul or term.is_Mul) else _write(-term if negative else term)
        text += (" - " if negative else " + ") + part if text else ("-" if negative else "") + part
    return text


def _atom(expr: sympy.Expr) -> str:
    text = _write(expr)
    plain = expr.is_Symbol or (expr.is_Integer and expr >= 0) or type(expr).__name__ in ("Max", "Min")
    return text if plain else f"({text})"
