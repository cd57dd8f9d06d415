"""Judge: the candidate's outputs against what they must be. Every output is looked at, the worst reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import torch

from cudasmith.model import CaseStatus
from cudasmith.stages._verify.compare import Difference, Expected, difference, tolerance_of
from cudasmith.stages._verify.outputs import Leaf, leaves, structure
from cudasmith.stages._verify.tolerance import Tolerance


@attrs.frozen
class Judgement:
    """The status of one call, with the worst place. `ratio` is None when only shapes were compared."""

    status: CaseStatus
    output: str = ""
    difference: Difference = attrs.field(factory=lambda: Difference(CaseStatus.PASSED))
    message: str = ""


@attrs.frozen
class Target:
    """What a call must return, and how near. `wanted` names the containers. Buffers are outputs too."""

    wanted: str
    outputs: tuple[Expected, ...]
    others: tuple[Leaf, ...]  # leaves that are not tensors
    tolerances: tuple[Tolerance | None, ...]

    @staticmethod
    def of(own: Any, outputs: Sequence[Expected], terms: int) -> Target:
        made = tuple(tolerance_of(e, terms) if _inexact(e.own) else None for e in outputs)
        others = tuple(leaf for leaf in leaves(own) if not isinstance(leaf.value, torch.Tensor))
        return Target(structure(own), tuple(outputs), others, made)

    def elements(self) -> int:
        return sum(e.own.numel() for e in self.outputs)


def judge(target: Target, got: Any, buffers: dict[str, torch.Tensor]) -> Judgement:
    """Structure, type, shape, dtype, then values. `buffers` are the candidate's after the call, as leaves."""
    found = structure(got)
    if found != target.wanted:
        return _wrong(CaseStatus.WRONG_TYPE, "", f"forward returns {found}, must return {target.wanted}")
    values = {leaf.path: leaf.value for leaf in leaves(got)} | buffers
    for leaf in target.others:
        if values[leaf.path] != leaf.value:
            return _wrong(
                CaseStatus.WRONG_VALUE, leaf.path, f"got {values[leaf.path]!r}, must be {leaf.value!r}"
            )
    for expected in target.outputs:
        if (failed := _form(expected, values[expected.path])) is not None:
            return failed
    return _worst(target, values)


def trivially_passes(target: Target, args: Sequence[Any]) -> str | None:
    """The name of a trivial result that would pass too: then the case proves nothing."""
    inputs = [a for a in args if isinstance(a, torch.Tensor)]
    for name in ("zeros", "one constant", "the input itself"):
        made = [_trivial(name, e, inputs) for e in target.outputs]
        if made and all(
            g is not None and difference(e, g, t, stop=True).status is CaseStatus.PASSED
            for e, g, t in zip(target.outputs, made, target.tolerances, strict=True)
        ):
            return name
    return None


def own_ratio(target: Target) -> float | None:
    """The largest ratio of same-dtype PyTorch itself."""
    pairs = zip(target.outputs, target.tolerances, strict=True)
    ratios = [difference(e, e.own, t).ratio for e, t in pairs]
    return max((r for r in ratios if r is not None), default=None)


def _form(expected: Expected, got: Any) -> Judgement | None:
    path, own = expected.path, expected.own
    if type(got) is not torch.Tensor:
        return _wrong(
            CaseStatus.WRONG_TYPE, path, f"got a {type(got).__name__}, must be a plain torch.Tensor"
        )
    if got.shape != own.shape:
        return _wrong(
            CaseStatus.WRONG_SHAPE, path, f"shape is {tuple(got.shape)}, must be {tuple(own.shape)}"
        )
    if got.dtype != own.dtype:
        return _wrong(CaseStatus.WRONG_DTYPE, path, f"dtype is {got.dtype}, must be {own.dtype}")
    if got.device != own.device:
        return _wrong(CaseStatus.WRONG_TYPE, path, f"the tensor is on {got.device}, must be on {own.device}")
    return None


def _worst(target: Target, values: dict[str, Any]) -> Judgement:
    worst = Judgement(CaseStatus.PASSED)
    for expected, tolerance in zip(target.outputs, target.tolerances, strict=True):
        found = difference(expected, values[expected.path], tolerance)
        if found.status is not CaseStatus.PASSED:
            place = f"{_named(expected.path)}{list(found.index or ())}"
            return Judgement(
                found.status,
                expected.path,
                found,
                f"{place} is {found.got:.9g}, must be {found.expected:.9g}",
            )
        if found.ratio is not None and found.ratio >= (worst.difference.ratio or 0.0):
            worst = Judgement(CaseStatus.PASSED, expected.path, found)
    return worst


def _named(path: str) -> str:
    return path if path.startswith("gradient ") else f"output {path}".rstrip()


def _trivial(name: str, expected: Expected, inputs: Sequence[torch.Tensor]) -> torch.Tensor | None:
    own = expected.own
    if name == "zeros":
        return own.new_zeros(()).expand(own.shape)
    if name == "one constant":
        if own.numel() < 2 or own.is_complex():  # the mean of one element is the right answer
            return None
        return expected.reference.double().mean().to(own.dtype).expand(own.shape)
    same = [i for i in inputs if i.shape == own.shape and i.dtype == own.dtype]
    return same[0] if same else None


def _inexact(tensor: torch.Tensor) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


def _wrong(status: CaseStatus, output: str, message: str) -> Judgement:
    return Judgement(status, output, Difference(status), message)
