"""Sizes as text: sympy expressions over the free sizes, in the Python that `Value.dims` allows."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

import sympy
import torch

from cudasmith.stages._tracing.explain import UserCode

INT64_MAX = (1 << 63) - 1
_FLOOR = ("FloorDiv", "CleanDiv")
_MOD = ("Mod", "PythonMod")
_RELATIONS = {
    "Equality": "==",
    "Unequality": "!=",
    "StrictGreaterThan": ">",
    "GreaterThan": ">=",
    "StrictLessThan": "<",
    "LessThan": "<=",
}


class NotWritable(Exception):
    """This size has no form in + - * // % max min."""


class DataDependent(Exception):
    """This size depends on the values in a tensor."""


def size_text(size: Any) -> str:
    """A dimension (int or SymInt) as Python. Raises: NotWritable, DataDependent."""
    return str(size) if isinstance(size, int) else expression_text(size.node.expr)


def expression_text(expr: sympy.Expr) -> str:
    """Raises: NotWritable."""
    numerator, denominator = expr.as_numer_denom()
    if denominator != 1:  # an exact division that sympy wrote as a fraction: (s - 1)/2
        return f"{_atom(numerator)} // {_atom(denominator)}"
    return _write(expr)


def size_hint(size: Any) -> int:
    """The size in the problem itself. Raises: DataDependent for a size that only running can tell."""
    if isinstance(size, int):
        return size
    hint = size.node.hint
    if hint is None:
        raise DataDependent(str(size))
    return int(hint)


def free_sizes(program: torch.export.ExportedProgram) -> tuple[tuple[str, int, int, int], ...]:
    """(symbol, value in the problem, smallest, largest) of each symbol in the inputs' sizes, in input order.

    A smallest value of 2 only says that export took the size to be neither 0 nor 1.
    """
    found: dict[str, tuple[str, int, int, int]] = {}
    for size in _input_sizes(program):
        env = size.node.shape_env
        for symbol in sorted(size.node.expr.free_symbols, key=str):
            span = program.range_constraints.get(symbol) or env.var_to_range[symbol]
            hint = int(env.backed_var_to_val[symbol])
            low, high = _bound(span.lower, 0), _bound(span.upper, INT64_MAX)
            found.setdefault(str(symbol), (str(symbol), hint, low, high))
    return tuple(found.values())


def guards(program: torch.export.ExportedProgram, code: UserCode) -> tuple[str, ...]:
    """Conditions on the free sizes that lines of the user's decided on, as far as ranges do not say them.

    Those that torch's own code decided on (is this contiguous, is that size 1) do not change the graph.
    """
    sizes = _input_sizes(program)
    env: Any = sizes[0].node.shape_env if sizes else None
    texts: list[str | None] = []
    for guard in env.guards if sizes else ():
        frame = getattr(guard.sloc, "framework_loc", None)
        if isinstance(frame, traceback.FrameSummary) and code.owns(frame.filename):
            expr = env.simplify(guard.expr)
            if len(expr.free_symbols) > 1 or expr.atoms(sympy.Function):
                texts.append(_relation(expr))
    return tuple(dict.fromkeys(t for t in texts if t))


def _relation(expr: Any) -> str | None:
    """None for a condition that has no form in our Python."""
    sign = _RELATIONS.get(type(expr).__name__)
    if sign is None:
        return None
    try:
        return f"{expression_text(expr.lhs)} {sign} {expression_text(expr.rhs)}"
    except NotWritable:
        return None


def _input_sizes(program: torch.export.ExportedProgram) -> list[torch.SymInt]:
    values = [n.meta.get("val") for n in program.graph.nodes if n.op == "placeholder"]
    return [s for v in values if isinstance(v, torch.Tensor) for s in v.shape if isinstance(s, torch.SymInt)]


def _bound(value: Any, infinite: int) -> int:
    return int(value) if getattr(value, "is_Integer", False) and abs(value) < INT64_MAX else infinite


def _write(expr: sympy.Expr) -> str:
    name = type(expr).__name__
    if expr.is_Integer:
        return str(int(expr))
    if expr.is_Symbol:
        if not str(expr).startswith("s"):  # u0, zuf0: torch's names for what data decides
            raise DataDependent(str(expr))
        return str(expr)
    if name in _FLOOR or name in _MOD:
        return f"{_atom(expr.args[0])} {'//' if name in _FLOOR else '%'} {_atom(expr.args[1])}"
    if name in ("Max", "Min"):
        return f"{name.lower()}({', '.join(_write(a) for a in expr.args)})"
    if expr.is_Add:
        return _sum(expr.args)
    if expr.is_Mul and all(a.is_integer for a in expr.args):
        return " * ".join(_atom(a) for a in expr.args)
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return " * ".join([_atom(expr.base)] * int(expr.exp))
    if name in ("floor", "FloorToInt"):
        numerator, denominator = expr.args[0].as_numer_denom()
        return f"{_atom(numerator)} // {_atom(denominator)}"
    raise NotWritable(f"the size {expr} is not made of + - * // %")


def _sum(terms: Sequence[sympy.Expr]) -> str:
    """Symbols first, numbers last: "s27 - 1"."""
    text = ""
    for term in sorted(terms, key=lambda t: (t.is_number, t.as_coeff_Mul()[0].is_negative, str(t))):
        negative = term.as_coeff_Mul()[0].is_negative
        size = -term if negative else term
        part = _write(size) if size.is_Mul or size.is_Integer else _atom(size)
        text += ((" - " if negative else " + ") if text else "-" * negative) + part
    return text


def _atom(expr: sympy.Expr) -> str:
    plain = expr.is_Symbol or (expr.is_Integer and expr >= 0) or type(expr).__name__ in ("Max", "Min")
    return _write(expr) if plain else f"({_write(expr)})"
