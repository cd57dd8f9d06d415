"""Half types, rounding modes, math, integer intrinsics and vector types against exact arithmetic and torch."""

from __future__ import annotations

import math
import random
import struct
import types
from collections.abc import Callable
from fractions import Fraction

import pytest
import torch

Module = types.ModuleType
MODES = ("rn", "rz", "rd", "ru")


@pytest.fixture(scope="module")
def numbers(load: Callable[[str], Module]) -> Module:
    return load("numbers")


def _round(exact: Fraction, dtype: torch.dtype, mode: str) -> float:
    """The number of the dtype, as a float, that `exact` rounds to. Ordinary magnitudes only."""
    digits = {torch.float16: 11, torch.bfloat16: 8, torch.float32: 24}[dtype]
    if exact == 0:
        return 0.0
    exponent = math.frexp(float(abs(exact)))[1]
    unit = Fraction(2) ** (exponent - digits)
    if dtype is torch.float16:
        unit = max(unit, Fraction(2) ** -24)
    scaled = exact / unit
    rounding: dict[str, Callable[[Fraction], int]] = {
        "rn": round,
        "rz": math.trunc,
        "rd": math.floor,
        "ru": math.ceil,
    }
    return float(rounding[mode](scaled) * unit)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_arithmetic_comparisons_and_conversions(numbers: Module, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x = torch.cat([torch.randn(60) * 3, torch.tensor([0.5, 1.5, -2.5, 2.0])]).to(dtype)
    y = torch.cat([torch.randn(60) * 3, torch.tensor([0.5, -1.5, 2.5, 2.0])]).to(dtype)
    out = torch.zeros(64, 26)
    numbers.halves(x, y, out)
    a, b = x.double(), y.double()
    as_half = [
        a + b,
        b + a,
        a * a + b,
        b * b + a,
        a - b,
        a * b,
        None,
        a.maximum(b),
        a.minimum(b),
        a.maximum(b),
        b.exp(),
        a.abs().sqrt(),
        -a,
        a.round(),
    ]
    for column, value in enumerate(as_half):
        expected = (x.float() / y.float() if value is None else value).to(dtype).double()
        actual = out[:, column].double()
        if column == 10:  # exp is not exact
            torch.testing.assert_close(actual, expected, rtol=2**-7, atol=0)
        else:
            assert torch.equal(actual, expected), column
    saturated = (a + b).to(dtype).double().clamp(0, 1)
    relu = (a * b + a).to(dtype).double().clamp(min=0)
    rest = [
        a == b,
        a < b,
        a >= b,
        (a >= b) & (b >= a),
        (b > a) * 0xFFFF,
        saturated,
        a.round(),
        a.trunc(),
        a.floor(),
        a.ceil(),
        b,
        relu,
    ]
    for column, expected in enumerate(rest, start=14):
        assert torch.equal(out[:, column].double(), expected.double()), column


def test_nan_in_comparisons_and_maxima(numbers: Module) -> None:
    x = torch.tensor([math.nan, 1.0, math.nan]).half()
    y = torch.tensor([1.0, math.nan, math.nan]).half()
    out = torch.zeros(3, 26)
    numbers.halves(x, y, out)
    assert out[:2, 7].tolist() == [1.0, 1.0]  # the other operand
    assert math.isnan(out[2, 7].item())
    assert out[:, 14:17].tolist() == [[0, 0, 1]] * 3  # eq, lt: ordered; geu: unordered


def test_every_rounding_mode_is_exact(numbers: Module) -> None:
    random.seed(1)
    x = torch.tensor([random.uniform(-9, 9) for _ in range(60)] + [1 / 3, -1 / 3, 6e-8, -6e-8])
    y = torch.tensor([random.uniform(0.1, 9) * random.choice([1, -1]) for _ in range(64)])
    out = torch.zeros(64, 28, dtype=torch.float64)
    numbers.rounded(x, y, out)
    for i, row in enumerate(out.tolist()):
        a, b = Fraction(x[i].item()), Fraction(y[i].item())
        near = Fraction(x[i].item() + 1e-9 * y[i].item())
        exact = [(a, torch.float16), (a, torch.bfloat16)]
        exact += [(v, torch.float32) for v in (a + b, a * b, a / b, a * b + a, near)]
        expected = [_round(value, dtype, mode) for value, dtype in exact for mode in MODES]
        assert row == expected, (i, float(a), float(b))


def test_math_functions(numbers: Module) -> None:
    x = torch.linspace(-0.95, 0.95, 39, dtype=torch.float64)
    out = torch.zeros(39, 28, dtype=torch.float64)
    numbers.math(x, out)
    s, one = torch.special, torch.ones_like(x)
    expected = [
        s.erfinv(x),
        s.erfinv(-x),
        s.ndtr(3 * x),
        s.ndtri(0.5 + x / 2.1),
        s.erfcx(x),
        (1 + x).rsqrt(),
        (2 + x) ** (-1 / 3),
        (math.pi * x).sin(),
        (math.pi * x).cos(),
        s.i0(x),
        s.i1(x),
        (x * x + 5).sqrt(),
        torch.hypot(x, one).reciprocal(),
        10**x,
        x * x + 1,
        x.log1p(),
        (2 + x).lgamma(),
        (2 + x).lgamma().exp(),
        (1 + x).rsqrt(),
        (2 + x) ** (-1 / 3),
        s.ndtr(x),
        s.erfinv(x),
        x.exp(),
        (2 + x).log(),
        x / 3,
        x.clamp(0, 1),
        x.clamp(min=0.25),
        x,
    ]
    for column, values in enumerate(expected):
        rtol = 1e-12 if column < 18 or column == 26 else 1e-6
        torch.testing.assert_close(out[:, column], values, rtol=rtol, atol=1e-15 if rtol < 1e-9 else 1e-7)


def _signed(v: int, bits: int = 32) -> int:
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def _parts(v: int, bits: int, signed: bool) -> list[int]:
    parts = [v >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [_signed(p, bits) for p in parts] if signed else parts


def _joined(parts: list[int], bits: int) -> int:
    return sum((p & ((1 << bits) - 1)) << i * bits for i, p in enumerate(parts))


def _each(a: int, b: int, bits: int, signed: bool, f: Callable[[int, int], int]) -> int:
    pairs = zip(_parts(a, bits, signed), _parts(b, bits, signed), strict=True)
    return _joined([f(p, q) for p, q in pairs], bits)


def _nth_bit(v: int, base: int, n: int) -> int:
    found = [i for i in range(base, 32) if v >> i & 1]
    return found[n - 1] if len(found) >= n else 2**32 - 1


def _clamped(v: int, low: int, high: int) -> int:
    return max(low, min(high, v))


def test_integer_intrinsics(numbers: Module) -> None:
    random.seed(2)
    values = [random.randrange(-(2**31), 2**31) for _ in range(56)] + [
        0,
        1,
        -1,
        2**31 - 1,
        -(2**31),
        5,
        -5,
        255,
    ]
    x = torch.tensor(values, dtype=torch.int32)
    y = x.flip(0)
    out = torch.zeros(64, 38, dtype=torch.int64)
    numbers.integers(x, y, out)
    for row, a, b in zip(out.tolist(), values, values[::-1], strict=True):
        u, w = a & 0xFFFFFFFF, b & 0xFFFFFFFF
        bits = f"{u:032b}"
        both = (w << 32 | u).to_bytes(8, "little")
        s4 = list(zip(_parts(u, 8, True), _parts(w, 8, True), strict=True))
        u4 = list(zip(_parts(u, 8, False), _parts(w, 8, False), strict=True))
        as_float = torch.tensor(a).float()
        thousandth = (as_float * torch.tensor(1e-3).float()).item()
        expected = [
            bits.count("1"),
            32 - u.bit_length(),
            bits[::-1].find("1") + 1,
            int(bits[::-1], 2),
            int.from_bytes(bytes(both[i] for i in (0, 4, 1, 5)), "little"),
            a * b >> 32,
            u * w >> 32,
            _signed(_signed(a, 24) * _signed(b, 24)),
            (u & 0xFFFFFF) * (w & 0xFFFFFF) & 0xFFFFFFFF,
            (7 + abs(a - b)) & 0xFFFFFFFF,
            (7 + abs(u - w)) & 0xFFFFFFFF,
            a + b >> 1,
            a + b + 1 >> 1,
            u + w >> 1,
            _signed(5 + sum(p * q for p, q in s4)),
            5 + sum(p * q for p, q in u4),
            _signed(1 + sum(p * q for p, q in zip(_parts(u, 16, True), _parts(w, 8, True)[:2], strict=True))),
            _each(u, w, 8, False, lambda p, q: p + q),
            _each(u, w, 16, True, lambda p, q: _clamped(p - q, -32768, 32767)),
            _each(u, w, 8, False, lambda p, q: min(p + q, 255)),
            _each(u, w, 16, True, max),
            _each(u, w, 8, False, min),
            _each(u, w, 8, False, lambda p, q: abs(p - q)),
            _each(u, w, 8, True, lambda p, q: -(p > q)),
            _each(u, w, 16, False, lambda p, q: p < q),
            sum(abs(p - q) for p, q in u4),
            ((w << 32 | u) << 5 >> 32) & 0xFFFFFFFF,
            w,
            _nth_bit(u, 3, 2),
            (a << 30) * (b << 20) >> 64,
            64 - a.bit_length() if a >= 0 else 0,
            int(f"{u:064b}"[::-1], 2) & 0xFFFF,
            math.floor(thousandth),
            _clamped(int((as_float * 3).item()), 0, 2**32 - 1),
            _clamped(int((as_float * torch.tensor(1e12).float()).item()), -(2**63), 2**63 - 1),
            _clamped(math.ceil(a + 0.5), -(2**31), 2**31 - 1),
            struct.unpack("<i", struct.pack("<d", float(a))[4:])[0],
            struct.unpack("<i", struct.pack("<f", float(b)))[0],
        ]
        for column, (actual, value) in enumerate(zip(row, expected, strict=True)):
            assert actual == value, (column, a, b)


def test_vector_types_have_cudas_sizes_and_alignments(numbers: Module) -> None:
    out = torch.zeros(11, dtype=torch.int32)
    numbers.vectors(torch.arange(8).float(), out)
    assert out.tolist() == [4, 7, 3, 8, 16, 16, 8, 12, 0xFF03, -1, 9]
