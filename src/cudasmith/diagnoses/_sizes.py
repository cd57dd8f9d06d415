"""Sizes of arrays, as far as the text of their declarations tells them."""

from __future__ import annotations

import re
from collections.abc import Callable

_BYTES = {"double": 8, "float4": 16, "int4": 16, "float2": 8, "int64_t": 8, "long": 8, "uint64_t": 8, "half": 2, "__half": 2,
          "__nv_bfloat16": 2, "short": 2, "char": 1, "bool": 1, "uint8_t": 1, "int8_t": 1, "half2": 4, "double2": 16}  # fmt: skip
_MOST = 40  # rounds of putting in constants
_LONG = 200  # characters of an expression that is not looked at


def declared_bytes(text: str, type: str, dimensions: str) -> int:
    """The bytes of `type name[a][b]`, with names of constants of the text put in; 0 where they are not plain numbers."""
    size = _BYTES.get(type.split()[-1] if type.split() else "", 4)
    for extent in re.findall(r"\[([^\[\]]*)\]", dimensions):
        known = number(extent, lambda name: _constant(text, name))
        if known is None:
            return 0
        size *= known
    return size


def _constant(text: str, name: str) -> str | None:
    """What a macro or an initialised variable of that name stands for."""
    found = re.search(rf"#\s*define\s+{name}\s+(?P<macro>[^\n/]+)|\b{name}\s*=\s*(?P<value>[^;,]+)[;,]", text)
    return found and (found["macro"] or found["value"])


_FOUR = ("float", "int", "unsigned", "unsigned int", "int32_t", "uint32_t")
_CAST = re.compile(r"\(\s*(?:int|unsigned|size_t|u?int(?:32|64)_t|long)\s*\)|static_cast\s*<\s*\w+\s*>")


def number(expression: str, put_in: Callable[[str], str | None]) -> int | None:
    """The value of an expression of whole numbers, `sizeof(type)` and names, whose values `put_in` gives; None if unknown."""
    for _ in range(_MOST):
        expression = _CAST.sub("", re.sub(r"\b(\d+)[uUlL]+\b", r"\1", expression))
        expression = re.sub(r"\bsizeof\s*\(\s*([\w ]+?)\s*\)", _size, expression)
        name = re.search(r"[A-Za-z_]\w*", expression)
        if name is None:
            break
        value = put_in(name[0])
        if value is None or name[0] in value or len(expression) > _LONG:
            return None
        expression = re.sub(rf"(?<!\w){name[0]}(?!\w)", lambda _: f"({value.strip()})", expression)  # noqa: B023
    if not re.fullmatch(r"[\d\s()+*/-]+", expression) or "//" in expression or len(expression) > _LONG:
        return None
    return _calculated(re.findall(r"\d+|[()+*/-]", expression))


def _size(of: re.Match[str]) -> str:
    """The bytes of a type that is known; else what stands there."""
    size = 4 if of[1] in _FOUR else _BYTES.get(of[1])
    return of[0] if size is None else str(size)


def _calculated(tokens: list[str]) -> int | None:
    """The value of a sum of products; None where it is not well formed."""
    try:
        value, rest = _sum(tokens)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if not rest else None


def _sum(tokens: list[str]) -> tuple[int, list[str]]:
    value, rest = _product(tokens)
    while rest and rest[0] in "+-":
        sign, (more, behind) = rest[0], _product(rest[1:])
        value, rest = (value + more if sign == "+" else value - more), behind
    return value, rest


def _product(tokens: list[str]) -> tuple[int, list[str]]:
    value, rest = _atom(tokens)
    while rest and rest[0] in "*/":
        sign, (more, behind) = rest[0], _atom(rest[1:])
        value, rest = (value * more if sign == "*" else value // more), behind
    return value, rest


def _atom(tokens: list[str]) -> tuple[int, list[str]]:
    if tokens[0] == "(":
        value, rest = _sum(tokens[1:])
        if rest[0] != ")":
            raise ValueError(rest[0])
        return value, rest[1:]
    return int(tokens[0]), tokens[1:]
