"""Integers of host code as far as they are known: constants, sizes of tensors, and arithmetic on both."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import attrs

MAX_WEIGHT = 64  # of one expression: more is not followed
_unnamed = itertools.count()
LOW, HIGH = -(1 << 63), (1 << 63) - 1
_LIMITS = {
    "bool": (0, 1),
    "int": (-(1 << 31), (1 << 31) - 1),
    "unsigned": (0, (1 << 32) - 1),
    "int64": (LOW, HIGH),
    "uint64": (0, (1 << 64) - 1),
}
_RANKS = tuple(_LIMITS)
_SPELLED = {
    "int": "int",
    "int32_t": "int",
    "signed": "int",
    "short": "int",
    "char": "int",
    "unsigned": "unsigned",
    "unsigned int": "unsigned",
    "uint32_t": "unsigned",
    "uint": "unsigned",
    "dim3": "unsigned",
    "bool": "bool",
    "int64_t": "int64",
    "long": "int64",
    "long long": "int64",
    "long int": "int64",
    "ptrdiff_t": "int64",
    "ssize_t": "int64",
    "size_t": "uint64",
    "uint64_t": "uint64",
    "unsigned long": "uint64",
    "unsigned long long": "uint64",
}


def integer_type(spelled: str) -> str | None:
    """int, unsigned, int64, uint64 or bool for the spelling of an integer type; None for every other."""
    bare = " ".join(
        w for w in spelled.replace("std::", "").replace("&", " ").split() if w not in ("const", "constexpr")
    )
    return _SPELLED.get(bare)


def fits(value: int, type: str) -> bool:
    low, high = _LIMITS[type]
    return low <= value <= high


def wrapped(value: int, type: str) -> int:
    """What is left of a value in a variable of that type."""
    low, high = _LIMITS[type]
    return (value - low) % (high - low + 1) + low


@attrs.frozen
class Num:
    """`op`: const (`value`), atom (`name`), an operator of two arguments, min, max, either, or as (a conversion).

    `sized`: a size of a tensor is in it.
    """

    op: str
    args: tuple[Num, ...] = ()
    value: int = 0
    name: str = ""
    type: str = attrs.field(default="int64", eq=False)
    sized: bool = attrs.field(default=False, eq=False)
    weight: int = attrs.field(
        init=False,
        eq=False,
        default=attrs.Factory(lambda self: 1 + sum(a.weight for a in self.args), takes_self=True),
    )

    @property
    def known(self) -> int | None:
        return self.value if self.op == "const" else None


@attrs.frozen
class Range:
    """The least and the greatest value. `sized`: a size of a tensor decides it, divided by `divisor`."""

    low: int
    high: int
    sized: bool = False
    divisor: int = 1

    @property
    def exact(self) -> int | None:
        return self.low if self.low == self.high else None


Facts = Mapping[Num, tuple[int, int]]


def const(value: int, type: str = "int64", sized: bool = False) -> Num:
    return Num("const", value=value, type=type, sized=sized)


def combined(op: str, left: Num, right: Num) -> Num:
    """`left op right` with the type C++ gives it; constants are computed and wrap as there."""
    type = _common(left.type, right.type)
    if left.known is not None and right.known is not None:
        exact = apply(op, left.known, right.known)
        if exact is not None:
            return const(wrapped(exact, type), type, left.sized or right.sized)
    return made_of(op, left, right, type)


def made_of(op: str, left: Num, right: Num, type: str) -> Num:
    """The expression; a number of its own, of which nothing is known, where it would be too large."""
    sized = left.sized or right.sized
    if left.weight + right.weight > MAX_WEIGHT:
        return Num("atom", name=f"#{next(_unnamed)}", type=type)
    return Num(op, (left, right), type=type, sized=sized)


def apply(op: str, a: int, b: int) -> int | None:
    """The exact result, before it is put into a type; None where there is none."""
    if op in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - quotient * b
    if op in ("<<", ">>"):
        return None if not 0 <= b < 64 else a << b if op == "<<" else a >> b
    table = {"+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b), "&": a & b, "|": a | b}
    table |= {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
    return int(table[op]) if op in table else None


def _common(a: str, b: str) -> str:
    ranks = [max(_RANKS.index(t), 1) for t in (a, b)]
    return _RANKS[max(ranks)]


def converted(number: Num, type: str) -> Num:
    """The number in a variable of that type. A size is taken to fit, unless it is known not to."""
    if number.known is not None:
        return const(wrapped(number.known, type), type, number.sized)
    if _LIMITS[type][1] >= _LIMITS[number.type][1]:
        return attrs.evolve(number, type=type)
    return Num("as", (number,), name=type, type=type, sized=number.sized)


def bounds(number: Num, facts: Facts) -> tuple[int, int]:
    """The least and the greatest value under what is known of its parts."""
    low, high = _bounds(number, facts)
    least, most = facts.get(number, (LOW, HIGH))
    return max(low, least), min(high, most)


def divisor(number: Num) -> int:
    """By what constant a number is divided in the end."""
    if number.op == "as":
        return divisor(number.args[0])
    return (number.args[1].known or 1) if number.op == "/" else 1


def _bounds(number: Num, facts: Facts) -> tuple[int, int]:
    if number.op == "const":
        return number.value, number.value
    if number.op == "atom":
        filled = Num("atom", name=number.name.rpartition(".")[0] + ".any") in facts
        return (int(filled), HIGH) if number.sized else (LOW, HIGH)
    inner = [bounds(a, facts) for a in number.args]
    if number.op == "as":
        least, most = _LIMITS[number.name]
        return max(inner[0][0], least), min(inner[0][1], most)
    if number.op == "either":
        return min(i[0] for i in inner), max(i[1] for i in inner)
    (a, b), (c, d) = inner
    if number.op == "/" and number.args[0].op in ("+", "-"):
        if c <= 0:
            return LOW, HIGH
        return 1 if _is_ceiling(number, facts) else min(_divided(a, c), _divided(a, d)), b // c
    if number.op == "/" and _part_of_whole(number, facts):
        return 1, b
    if number.op == "/":
        return (min(a // c, a // d), max(b // c, b // d)) if c > 0 else (LOW, HIGH)
    if number.op == "%":
        return (0, max(d - 1, 0)) if a >= 0 and c > 0 else (LOW, HIGH)
    if number.op in ("min", "max"):
        pick = min if number.op == "min" else max
        return pick(a, c), pick(b, d)
    if number.op in ("==", "!=", "<", "<=", ">", ">="):
        return _compared(number.op, (a, b), (c, d))
    corners = [apply(number.op, x, y) for x in (a, b) for y in (c, d)]
    if number.op not in ("+", "-", "*") or None in corners:
        return (0, HIGH) if a >= 0 and c >= 0 else (LOW, HIGH)
    known = [c for c in corners if c is not None]
    return max(min(known), LOW), min(max(known), HIGH)


def _divided(a: int, b: int) -> int:
    """As C++ divides, towards 0."""
    return a // b if a >= 0 else -(-a // b)


def _compared(op: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """0..1, or one of both where the ranges decide it."""
    (a, b), (c, d) = left, right
    always = {
        "<": b < c,
        "<=": b <= c,
        ">": a > d,
        ">=": a >= d,
        "==": a == b == c == d,
        "!=": b < c or a > d,
    }
    never = {"<": a >= d, "<=": a > d, ">": b <= c, ">=": b < c, "==": b < c or a > d, "!=": a == b == c == d}
    return (1, 1) if always[op] else (0, 0) if never[op] else (0, 1)


def _is_ceiling(number: Num, facts: Facts) -> bool:
    """`(n + d - 1) / d` of a positive n, however its sum is ordered: at least 1."""
    divisor = bounds(number.args[1], facts)
    terms = _terms(number.args[0])
    rest = [t for sign, t in terms if not (sign == 1 and t == number.args[1])]
    added = sum(s * t.value for s, t in terms if t.op == "const")
    if divisor[0] < 1 or any(s < 0 and t.op != "const" for s, t in terms):
        return False
    positive = [t for s, t in terms if t.op != "const" and s == 1 and t != number.args[1]]
    whole = len(positive) == 1 and bounds(positive[0], facts)[0] >= 1
    if divisor[0] == divisor[1] and number.args[1].op == "const":
        return whole and added >= divisor[0] - 1
    return whole and len(rest) < len(terms) and added >= -1


def _part_of_whole(number: Num, facts: Facts) -> bool:
    """The elements of a tensor that is not empty, by some of its sizes."""
    whole, _, kind = number.args[0].name.rpartition(".")
    sizes = [n for n in _factors(number.args[1]) if n.known != 1]
    own = all(n.op == "atom" and n.name.startswith(whole + ".") for n in sizes)
    return kind == "numel" and own and len(set(sizes)) == len(sizes) and bounds(number.args[0], facts)[0] >= 1


def _factors(number: Num) -> list[Num]:
    return [f for a in number.args for f in _factors(a)] if number.op == "*" else [number]


def _terms(number: Num, sign: int = 1) -> list[tuple[int, Num]]:
    if number.op in ("+", "-"):
        other = sign if number.op == "+" else -sign
        return _terms(number.args[0], sign) + _terms(number.args[1], other)
    if number.op == "as":
        return _terms(number.args[0], sign)
    return [(sign, number)]


def refined(number: Num, facts: dict[Num, tuple[int, int]], low: int = LOW, high: int = HIGH) -> None:
    """Writes into `facts` that the number lies between both, and what follows for its factors."""
    least, most = facts.get(number, (LOW, HIGH))
    facts[number] = (max(least, low), min(most, high))
    if number.op == "as":
        refined(number.args[0], facts, low, high)
    if number.op == "max" and number.args[1].known is not None and low > number.args[1].known:
        refined(number.args[0], facts, low)
    if number.op == "*" and low >= 1 and all(bounds(a, facts)[0] >= 0 for a in number.args):
        for factor in number.args:
            refined(factor, facts, 1)
    if number.op == "/" and low >= 1 and number.args[0].op == "atom":
        refined(number.args[0], facts, 1)
