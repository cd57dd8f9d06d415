"""The tolerance lets every honest order of additions pass and catches a narrower accumulator."""

from __future__ import annotations

import pytest
import torch

from cudasmith.model import CaseStatus
from cudasmith.stages._verify import compare
from cudasmith.stages._verify.compare import Difference, Expected, difference, tolerance_of

TERMS = 4096


def checked(
    own: torch.Tensor, exact: torch.Tensor, got: torch.Tensor, terms: int, absolute=None
) -> Difference:
    expected = Expected("", exact, own, absolute)
    return difference(expected, got, tolerance_of(expected, terms))


def sums(x: torch.Tensor, accumulator: torch.dtype) -> torch.Tensor:
    """One after the other, as a thread per slice adds, rounding each partial sum."""
    total = torch.zeros(x.shape[0], dtype=accumulator)
    for column in x.to(accumulator).unbind(1):
        total = total + column
    return total.to(x.dtype)


@pytest.fixture(scope="module")
def signed() -> torch.Tensor:
    return torch.randn(64, TERMS, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_sum_in_order_with_a_float_accumulator_passes(signed, dtype):
    x = signed.to(dtype)
    found = checked(x.sum(1), x.double().sum(1), sums(x, torch.float32), TERMS, x.double().abs().sum(1))
    assert found.status is CaseStatus.PASSED
    assert found.ratio < 0.9


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_sum_with_a_half_accumulator_fails(dtype):
    x = torch.rand(64, TERMS, generator=torch.Generator().manual_seed(0)).to(dtype)
    found = checked(x.sum(1), x.double().sum(1), sums(x, dtype), TERMS, x.double().sum(1))
    assert found.status is CaseStatus.WRONG_VALUE


def test_a_product_of_matrices_rounded_to_tf32_fails():
    generator = torch.Generator().manual_seed(0)
    a, b = torch.randn(64, 512, generator=generator), torch.randn(512, 64, generator=generator)

    def tf32(t: torch.Tensor) -> torch.Tensor:
        return (t.view(torch.int32) & ~0x1FFF).view(torch.float32)

    absolute = a.double().abs() @ b.double().abs()
    found = checked(a @ b, a.double() @ b.double(), tf32(a) @ tf32(b), 512, absolute)
    assert found.status is CaseStatus.WRONG_VALUE


def test_terms_that_cancel_are_measured_by_their_magnitudes():
    x = torch.tensor([[1e6, 1.25, -1e6]])
    got = torch.tensor([1.3125])  # rounding of 1e6 + 1.25
    passed = checked(torch.tensor([1.25]), x.double().sum(1), got, 3, x.double().abs().sum(1))
    alone = checked(torch.tensor([1.25]), x.double().sum(1), got, 3)
    assert alone.status is CaseStatus.WRONG_VALUE
    assert passed.ratio < alone.ratio


def test_overflow_counts_as_infinity_and_nan_must_stay_nan():
    exact = torch.tensor([1e6, float("nan"), 1.0], dtype=torch.float64)
    own = exact.half()
    assert checked(own, exact, own.clone(), 1).status is CaseStatus.PASSED
    for index, value in ((0, float("nan")), (1, 0.0), (2, float("inf"))):
        got = own.clone()
        got[index] = value
        found = checked(own, exact, got, 1)
        assert (found.status, found.index) == (CaseStatus.WRONG_NAN, (index,))


def test_pieces_report_the_place_in_the_whole_tensor(monkeypatch):
    monkeypatch.setattr(compare, "CHUNK", {"cpu": 7})
    exact = torch.arange(60, dtype=torch.float64).reshape(3, 20) + 1
    got = exact.float()
    got[2, 11] += 0.5
    found = checked(exact.float(), exact, got, 1)
    assert (found.status, found.index, found.got) == (CaseStatus.WRONG_VALUE, (2, 11), 52.5)
    assert found.max_abs == 0.5


def test_integers_are_exact():
    exact = torch.arange(10)
    got = exact.clone()
    got[9] = 10
    found = difference(Expected("", exact, exact), got, None)
    assert (found.status, found.index, found.got, found.expected) == (CaseStatus.WRONG_VALUE, (9,), 10.0, 9.0)
