"""Compare one output tensor with its float64 reference, in pieces, so that 4 GB tensors fit."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import torch

from cudasmith.model import CaseStatus
from cudasmith.stages._verify.rule import OWN_SHARE
from cudasmith.stages._verify.tolerance import Tolerance

CHUNK = {"cpu": 1 << 17, "cuda": 1 << 24}  # elements: temporaries stay in the cache, or below 2 GB


@attrs.frozen
class Expected:
    """What one output must be. `own` is same-dtype PyTorch, `absolute` the reference on absolute values."""

    path: str
    reference: torch.Tensor  # float64 where floating
    own: torch.Tensor
    absolute: torch.Tensor | None = None


@attrs.frozen
class Difference:
    """The worst element of one output. `ratio` is error over allowance; None when nothing was measured."""

    status: CaseStatus
    ratio: float | None = None
    max_abs: float | None = None
    index: tuple[int, ...] | None = None
    got: float | None = None
    expected: float | None = None


def tolerance_of(expected: Expected, terms: int) -> Tolerance:
    """The allowance for a floating output: two passes over the data."""
    squares, count, largest = 0.0, 0, 0.0
    for ref, own in _pieces(expected.reference, expected.own):
        fine = torch.isfinite(ref) & torch.isfinite(own)
        error = torch.where(fine, own.double() - ref.double(), 0.0)
        squares += float((error * error).sum())
        count += int(fine.sum())
        finite = torch.where(torch.isfinite(ref), ref.abs().double(), 0.0)
        largest = max(largest, float(finite.max()))
    narrow = Tolerance(expected.own.dtype, terms, (squares / max(1, count)) ** 0.5, largest)
    own = difference(expected, expected.own, narrow).ratio or 0.0
    return attrs.evolve(narrow, widened=max(1.0, OWN_SHARE * own))


def difference(
    expected: Expected, got: torch.Tensor, tolerance: Tolerance | None, *, stop: bool = False
) -> Difference:
    """Compare values. Shapes and dtypes are equal already; `tolerance` is None for exact dtypes.

    With `stop` the first piece that fails ends it; otherwise the worst element is found.
    """
    if got.is_complex():
        real = attrs.evolve(
            expected,
            reference=torch.view_as_real(expected.reference.resolve_conj()),
            own=torch.view_as_real(expected.own.resolve_conj()),
            absolute=None,
        )
        return difference(real, torch.view_as_real(got.resolve_conj()), tolerance, stop=stop)
    if got.numel() == 0:
        return Difference(CaseStatus.PASSED)
    if tolerance is None:
        return _exact(expected, got)
    return _within(expected, got, tolerance, stop)


def _exact(expected: Expected, got: torch.Tensor) -> Difference:
    """Equal to the reference, or to same-dtype PyTorch where rounding before it decided otherwise."""
    start = 0
    for ref, own, g in _pieces(expected.reference, expected.own, got):
        wrong = (g != ref) & (g != own)
        if bool(wrong.any()):
            at = int(wrong.int().argmax())
            index = _unflatten(start + at, got.shape)
            return Difference(
                CaseStatus.WRONG_VALUE, None, None, index, float(g[at].item()), float(ref[at].item())
            )
        start += g.numel()
    return Difference(CaseStatus.PASSED, 0.0, 0.0)


def _within(expected: Expected, got: torch.Tensor, tolerance: Tolerance, stop: bool) -> Difference:
    worst = Difference(CaseStatus.PASSED, 0.0, 0.0)
    start, largest = 0, 0.0
    absolute = expected.absolute if expected.absolute is not None else expected.reference
    for ref, own, g, extra in _pieces(expected.reference, expected.own, got, absolute):
        ref, g = ref.double(), g.double()
        strange = _strange(ref, own.double(), g, tolerance.dtype)
        if bool(strange.any()):
            at = int(strange.int().argmax())
            return Difference(CaseStatus.WRONG_NAN, None, None, *_at(start, at, got.shape, g, ref))
        fine = torch.isfinite(ref) & torch.isfinite(g)
        error = torch.where(fine, (g - ref).abs(), 0.0)
        ratio = error / tolerance.allowed(ref, extra.double())
        ratio = torch.where(fine, ratio, 0.0)
        largest = max(largest, float(error.max()))
        at = int(ratio.argmax())
        if float(ratio[at]) >= (worst.ratio or 0.0):
            status = CaseStatus.PASSED if float(ratio[at]) <= 1 else CaseStatus.WRONG_VALUE
            worst = Difference(status, float(ratio[at]), None, *_at(start, at, got.shape, g, ref))
        start += g.numel()
        if stop and worst.status is not CaseStatus.PASSED:
            break
    return attrs.evolve(worst, max_abs=largest)


def _strange(ref: torch.Tensor, own: torch.Tensor, got: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Where one of reference and result is not finite and the result is neither what the dtype makes of
    the reference nor what same-dtype PyTorch gives (it may overflow on the way)."""
    rounded = ref.to(dtype).double()
    return ~(torch.isfinite(ref) & torch.isfinite(got)) & ~_same(got, rounded) & ~_same(got, own)


def _same(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return (a == b) | (torch.isnan(a) & torch.isnan(b))


def _at(
    start: int, at: int, shape: torch.Size, got: torch.Tensor, ref: torch.Tensor
) -> tuple[tuple[int, ...], float, float]:
    return _unflatten(start + at, shape), float(got[at].item()), float(ref[at].item())


def _unflatten(flat: int, shape: torch.Size) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        flat, rest = divmod(flat, size)
        index.append(rest)
    return tuple(reversed(index))


def _pieces(*tensors: torch.Tensor) -> Iterator[tuple[torch.Tensor, ...]]:
    """The same slice of each tensor, flattened. A view that cannot be flattened is copied whole."""
    flat = [t.reshape(-1) for t in tensors]
    step = CHUNK[flat[0].device.type]
    for start in range(0, flat[0].numel(), step):
        yield tuple(f[start : start + step] for f in flat)
