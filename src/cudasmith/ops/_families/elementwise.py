"""Every elementwise ATen operator as a C++ expression, with PyTorch's rules for NaN, types and scalars.

An entry takes the operands as C++ expressions of the operation's compute type and gives one
expression. Special values follow PyTorch's CUDA kernels: comparisons are written so that NaN
passes through relu, clamp, maximum and minimum (fmaxf would drop it).
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

Emit = Callable[..., str]


@attrs.frozen
class Elementwise:
    """`operands`: how many leading arguments are operands (tensors or numbers); `names`: the remaining
    arguments in schema order with defaults, given to `emit` as C++ literals of the compute type (or
    raw Python values when `raw`). `compute`: "result" computes in the result's dtype, "inputs" in the
    promoted dtype of the operands (comparisons). `floats`: integers are first converted to the result."""

    emit: Emit
    operands: int = 1
    names: tuple[tuple[str, int | float | bool | str | None], ...] = ()
    compute: str = "result"
    float_only: bool = False


def _f(name: str) -> Emit:
    """A libm function, with the float spelling for float."""
    return lambda t, *a: f"{name}{'f' if t == 'float' else ''}({', '.join(a)})"


def _e(template: str) -> Emit:
    """A template over {a} {b} {c}, {T} the compute type, {f} the libm suffix."""

    def emit(t: str, *args: str) -> str:
        named = dict(zip("abcdefgh", args, strict=False))
        suffix = "f" if t == "float" else ""
        return template.format(T=t, s=suffix, one=f"{t}(1)", zero=f"{t}(0)", half=f"{t}(0.5)", **named)

    return emit


def _div(t: str, a: str, b: str, mode: str = "") -> str:
    if mode == "floor":
        return f"floor{'f' if t == 'float' else ''}({a} / {b})"
    if mode == "trunc":
        return f"trunc{'f' if t == 'float' else ''}({a} / {b})"
    return f"({a} / {b})"


def _pow(t: str, a: str, b: str) -> str:
    small = {
        "2": f"({a} * {a})",
        "3": f"({a} * {a} * {a})",
        "1": a,
        "0.5": f"sqrt{'f' if t == 'float' else ''}({a})",
    }
    plain = b.rstrip("f").removesuffix(".0")
    if plain in small and a.replace("_", "").isalnum():
        return small[plain]
    return f"pow{'f' if t == 'float' else ''}({a}, {b})"


def _gelu(t: str, a: str, approximate: str = "none") -> str:
    s = "f" if t == "float" else ""
    if approximate == "tanh":
        inner = f"{t}(0.7978845608028654) * ({a} + {t}(0.044715) * {a} * {a} * {a})"
        return f"{t}(0.5) * {a} * ({t}(1) + tanh{s}({inner}))"
    return f"{t}(0.5) * {a} * ({t}(1) + erf{s}({a} * {t}(0.7071067811865476)))"


def _remainder(t: str, a: str, b: str) -> str:
    m = f"fmod{'f' if t == 'float' else ''}({a}, {b})"
    return f"({m} != {t}(0) && ({m} < {t}(0)) != ({b} < {t}(0)) ? {m} + {b} : {m})"


_UNARY = {
    name: Elementwise(_f(name), float_only=True)
    for name in [
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "erf",
        "erfc",
        "floor",
        "ceil",
        "trunc",
        "lgamma",
    ]
}

# name (without overload) -> entry. {a}, {b}, ... are operands, then the named arguments.
TABLE: dict[str, Elementwise] = {
    **_UNARY,
    "abs": Elementwise(_e("({a} < {zero} ? -{a} : {a} + {zero})")),
    "neg": Elementwise(_e("-{a}")),
    "round": Elementwise(_e("rint{s}({a})"), float_only=True),
    "frac": Elementwise(_e("({a} - trunc{s}({a}))"), float_only=True),
    "sign": Elementwise(_e("{T}(({zero} < {a}) - ({a} < {zero}))")),
    "reciprocal": Elementwise(_e("({one} / {a})"), float_only=True),
    "square": Elementwise(_e("({a} * {a})")),
    "sigmoid": Elementwise(_e("({one} / ({one} + exp{s}(-{a})))"), float_only=True),
    "log_sigmoid": Elementwise(
        _e("(({a} < {zero} ? {a} : {zero}) - log1p{s}(exp{s}({a} < {zero} ? {a} : -{a})))"), float_only=True
    ),
    "silu": Elementwise(_e("({a} / ({one} + exp{s}(-{a})))"), float_only=True),
    "mish": Elementwise(_e("({a} * tanh{s}({a} > {T}(20) ? {a} : log1p{s}(exp{s}({a}))))"), float_only=True),
    "relu": Elementwise(_e("({a} < {zero} ? {zero} : {a})")),
    "relu6": Elementwise(_e("({a} < {zero} ? {zero} : ({a} > {T}(6) ? {T}(6) : {a}))")),
    "hardsigmoid": Elementwise(
        _e("(({a} + {T}(3) < {zero} ? {zero} : ({a} + {T}(3) > {T}(6) ? {T}(6) : {a} + {T}(3))) / {T}(6))"),
        float_only=True,
    ),
    "hardswish": Elementwise(
        _e(
            "({a} * ({a} + {T}(3) < {zero} ? {zero} : ({a} + {T}(3) > {T}(6) ? {T}(6) : {a} + {T}(3))) / {T}(6))"
        ),
        float_only=True,
    ),
    "gelu": Elementwise(_gelu, names=(("approximate", "none"),), float_only=True),
    "selu": Elementwise(
        _e("{T}(1.0507009873554804934) * ({a} > {zero} ? {a} : {T}(1.6732632423543772848) * expm1{s}({a}))"),
        float_only=True,
    ),
    "elu": Elementwise(
        _e("({a} > {zero} ? {a} * {c} : {b} * {c} * expm1{s}({a} * {d}))"),
        names=(("alpha", 1.0), ("scale", 1.0), ("input_scale", 1.0)),
        float_only=True,
    ),
    "celu": Elementwise(
        _e("({a} > {zero} ? {a} : {b} * expm1{s}({a} / {b}))"), names=(("alpha", 1.0),), float_only=True
    ),
    "leaky_relu": Elementwise(
        _e("({a} > {zero} ? {a} : {a} * {b})"), names=(("negative_slope", 0.01),), float_only=True
    ),
    "hardtanh": Elementwise(
        _e("({a} < {b} ? {b} : ({a} > {c} ? {c} : {a}))"), names=(("min_val", -1.0), ("max_val", 1.0))
    ),
    "threshold": Elementwise(_e("({a} <= {b} ? {c} : {a})"), names=(("threshold", 0.0), ("value", 0.0))),
    "softplus": Elementwise(
        _e("({a} * {b} > {c} ? {a} : log1p{s}(exp{s}({a} * {b})) / {b})"),
        names=(("beta", 1.0), ("threshold", 20.0)),
        float_only=True,
    ),
    "hardshrink": Elementwise(_e("({a} >= -{b} && {a} <= {b} ? {zero} : {a})"), names=(("lambd", 0.5),)),
    "softshrink": Elementwise(
        _e("({a} > {b} ? {a} - {b} : ({a} < -{b} ? {a} + {b} : {a} * {zero}))"), names=(("lambd", 0.5),)
    ),
    "add": Elementwise(lambda t, a, b, alpha="1": _axpy("+", t, a, b, alpha), 2, (("alpha", 1),)),
    "sub": Elementwise(lambda t, a, b, alpha="1": _axpy("-", t, a, b, alpha), 2, (("alpha", 1),)),
    "rsub": Elementwise(lambda t, a, b, alpha="1": _axpy("-", t, b, a, alpha), 2, (("alpha", 1),)),
    "mul": Elementwise(lambda t, a, b: f"({a} && {b})" if t == "bool" else f"({a} * {b})", 2),
    "div": Elementwise(_div, 2, (("rounding_mode", ""),)),
    "true_divide": Elementwise(_div, 2),
    "maximum": Elementwise(_e("({a} != {a} || {a} > {b} ? {a} : {b})"), 2),
    "minimum": Elementwise(_e("({a} != {a} || {a} < {b} ? {a} : {b})"), 2),
    "fmax": Elementwise(_e("({b} != {b} || {a} > {b} ? {a} : {b})"), 2),
    "fmin": Elementwise(_e("({b} != {b} || {a} < {b} ? {a} : {b})"), 2),
    "fmod": Elementwise(_f("fmod"), 2, float_only=True),
    "remainder": Elementwise(_remainder, 2, float_only=True),
    "atan2": Elementwise(_f("atan2"), 2, float_only=True),
    "pow": Elementwise(_pow, 2, float_only=True),
    "eq": Elementwise(_e("({a} == {b})"), 2, compute="inputs"),
    "ne": Elementwise(_e("({a} != {b})"), 2, compute="inputs"),
    "lt": Elementwise(_e("({a} < {b})"), 2, compute="inputs"),
    "le": Elementwise(_e("({a} <= {b})"), 2, compute="inputs"),
    "gt": Elementwise(_e("({a} > {b})"), 2, compute="inputs"),
    "ge": Elementwise(_e("({a} >= {b})"), 2, compute="inputs"),
    "logical_and": Elementwise(_e("({a} != {zero} && {b} != {zero})"), 2, compute="inputs"),
    "logical_or": Elementwise(_e("({a} != {zero} || {b} != {zero})"), 2, compute="inputs"),
    "logical_xor": Elementwise(_e("(({a} != {zero}) != ({b} != {zero}))"), 2, compute="inputs"),
    "logical_not": Elementwise(_e("({a} == {zero})"), compute="inputs"),
    "bitwise_and": Elementwise(_e("{T}({a} & {b})"), 2),
    "bitwise_or": Elementwise(_e("{T}({a} | {b})"), 2),
    "bitwise_xor": Elementwise(_e("{T}({a} ^ {b})"), 2),
    "bitwise_not": Elementwise(lambda t, a: f"!{a}" if t == "bool" else f"{t}(~{a})"),
    "isnan": Elementwise(_e("({a} != {a})"), compute="inputs"),
    "isinf": Elementwise(_e("({a} == {a} && {a} - {a} != {zero})"), compute="inputs"),
    "isfinite": Elementwise(_e("({a} - {a} == {zero})"), compute="inputs"),
    "clone": Elementwise(_e("{a}")),
    "alias": Elementwise(_e("{a}")),
    "contiguous": Elementwise(_e("{a}")),
    "detach": Elementwise(_e("{a}")),
}


def _axpy(sign: str, t: str, a: str, b: str, alpha: str) -> str:
    if t == "bool":
        return f"({a} || {b})"
    if alpha.rstrip("f").removesuffix(".0") in ("1", "int64_t{1}"):
        return f"({a} {sign} {b})"
    return f"({a} {sign} {alpha} * {b})"


def _clamp(t: str, a: str, low: str | None, high: str | None) -> str:
    if low is not None:
        a = f"({a} < {low} ? {low} : {a})"
    return a if high is None else f"({a} > {high} ? {high} : {a})"


# Operators whose operands are optional, or of different kinds: name -> emit over C++ expressions.
SPECIAL: dict[str, Emit] = {
    "clamp": _clamp,
    "clamp_min": lambda t, a, low: _clamp(t, a, low, None),
    "clamp_max": lambda t, a, high: _clamp(t, a, None, high),
    "where": lambda t, c, a, b: f"({c} ? {a} : {b})",
    "masked_fill": lambda t, a, c, v: f"({c} ? {v} : {a})",
    "addcmul": lambda t, a, b, c, value: f"({a} + {value} * {b} * {c})",
    "addcdiv": lambda t, a, b, c, value: f"({a} + {value} * {b} / {c})",
    "lerp": lambda t, a, b, w: f"({a} + {w} * ({b} - {a}))",
}
