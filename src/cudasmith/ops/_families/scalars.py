"""Numbers as C++ literals, and PyTorch's type promotion."""

from __future__ import annotations

import math

from cudasmith.ops._families import dtypes

_ORDER = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def _category(dtype: str) -> int:
    return 0 if dtype == "bool" else 2 if dtype.startswith(("float", "bfloat")) else 1


def _join(a: str, b: str) -> str:
    """The smallest dtype that holds both, as torch.promote_types gives it."""
    if a == b:
        return a
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    if {a, b} == {"uint8", "int8"}:
        return "int16"
    if _category(a) != _category(b):
        return max(a, b, key=_category)
    return max(a, b, key=_ORDER.index)


def promote(tensors: list[str], zero_dim: list[str], scalars: list[int | float | bool]) -> str:
    """The common dtype of an operation, as torch.result_type gives it.

    Tensors with dimensions decide; 0-dim tensors and then plain numbers only raise the category
    (bool < integer < floating point).
    """
    plain = ["bool" if isinstance(s, bool) else "int64" if isinstance(s, int) else "float32" for s in scalars]
    result: str | None = None
    for group in (tensors, zero_dim, plain):
        joined: str | None = None
        for dtype in group:
            joined = dtype if joined is None else _join(joined, dtype)
        if joined is not None and (result is None or _category(joined) > _category(result)):
            result = joined
    assert result is not None, "an operation without operands"
    return result


def literal(value: int | float | bool, dtype: str) -> str:
    """`value` as a C++ literal of the compute type of `dtype`."""
    kind = dtypes.compute_type(dtype)
    if kind in ("float", "double"):
        return _float_literal(float(value), kind)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "int64_t":
        return f"int64_t{{{int(value)}}}" if -(2**31) < value < 2**31 else f"{int(value)}LL"
    return f"{int(value)}"


def _float_literal(value: float, kind: str) -> str:
    if math.isnan(value):
        return f"static_cast<{kind}>(NAN)"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}static_cast<{kind}>(INFINITY)"
    text = repr(value)
    if "e" not in text and "." not in text:
        text += ".0"
    return f"{text}f" if kind == "float" else text
