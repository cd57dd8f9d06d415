"""Control: the same call once more with no kernel at work. Outputs that stay the same were not made by kernels."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import torch

from cudasmith.model import Finding
from cudasmith.stages._emulate import told
from cudasmith.stages._emulate.calls import Called
from cudasmith.stages._verify.execute import words
from cudasmith.stages._verify.outputs import Leaf

MOST_KERNELS = 5  # of which each costs one more call
Installed = Callable[..., contextlib.AbstractContextManager[None]]


@attrs.frozen
class Control:
    """What the control showed, in words and as findings. `unseen`: kernels that no output depends on."""

    text: str
    findings: tuple[Finding, ...] = ()
    unseen: tuple[str, ...] = ()


def control(
    again: Callable[[], Called], called: Called, kernels: Sequence[str], installed: Installed
) -> Control:
    """`again` makes the same call; `called` is what it gave with kernels, which is overwritten."""
    first = [attrs.evolve(leaf, value=leaf.value.clone()) for leaf in called.tensors()]
    first = [leaf for leaf in first if leaf.value.numel()]
    if not first:
        return Control("not made: there is no output with elements")
    overwritten = _overwrite(called)
    try:
        with installed(skip_kernels=True):
            second = again().tensors()
            same = unchanged(first, second)
            kept = _shares(second, overwritten)
    except Exception as error:  # noqa: BLE001 - the candidate may check what its kernels made
        return Control(f"without its kernels the candidate raised {words(error).splitlines()[0][:200]}")
    if same and all(_all_nan(leaf.value) for leaf in first if leaf.path in same):
        return Control("it tells nothing: the outputs are NaN with kernels and without")
    if same:
        trivial = all(bool((leaf.value == 0).all()) for leaf in first if leaf.path in same)
        return Control(
            "the outputs did not change when no kernel ran",
            (told.unused(same, len(first), kernels, trivial=trivial),),
        )
    if kept:
        return _kept(again, first, installed)
    return _each(again, first, kernels, installed)


def _each(
    again: Callable[[], Called], first: list[Leaf], kernels: Sequence[str], installed: Installed
) -> Control:
    """Each kernel alone does not run. What a right file does for nothing (zeros into zeros) is only said, unless it is all."""
    text = "the outputs changed when no kernel ran"
    if len(kernels) > MOST_KERNELS:
        return Control(f"{text}; none of the {len(kernels)} was skipped alone")
    unseen = [name for name in kernels if _same_without(name, again, first, installed)]
    if not unseen:
        return Control(text if len(kernels) == 1 else f"{text}, and when any one of them did not")
    missing = "; ".join(f"no output changed when kernel {name} did not run" for name in unseen)
    findings = (told.not_shown(unseen),) if len(unseen) == len(kernels) else ()
    return Control(f"{text}; not shown: {missing}", findings, tuple(unseen))


def _same_without(name: str, again: Callable[[], Called], first: list[Leaf], installed: Installed) -> bool:
    try:
        with installed(skip_kernel=name):
            return len(unchanged(first, again().tensors())) == len(first)
    except Exception:  # noqa: BLE001 - what it makes is needed
        return False


def _kept(again: Callable[[], Called], first: list[Leaf], installed: Installed) -> Control:
    """The results lie in memory that the candidate keeps. Whether kernels fill it at each call is seen with them."""
    with installed():
        third = again().tensors()
        if len(unchanged(first, third)) == len(first):
            return Control("the outputs changed when no kernel ran (the candidate keeps their memory)")
    return Control("the candidate returned what it kept of an earlier call", (told.kept(),))


def unchanged(before: Sequence[Leaf], after: Sequence[Leaf]) -> list[str]:
    """The paths of outputs whose values are the same in both runs; NaN is equal to NaN."""
    others = {leaf.path: leaf.value for leaf in after}
    return [leaf.path for leaf in before if _equal(leaf.value, others.get(leaf.path))]


def _equal(one: torch.Tensor, other: Any) -> bool:
    if not isinstance(other, torch.Tensor) or one.shape != other.shape or one.dtype != other.dtype:
        return False
    if not (one.is_floating_point() or one.is_complex()):
        return bool(torch.equal(one, other))
    return bool(((one == other) | (torch.isnan(one) & torch.isnan(other))).all())


def _overwrite(called: Called) -> set[int]:
    """Puts other values into the outputs' memory; returns where it lies."""
    for leaf in called.tensors():
        value = leaf.value
        with torch.no_grad(), contextlib.suppress(RuntimeError):  # an expanded view cannot be written
            if value.dtype == torch.bool:
                value.logical_not_()
            else:
                value.fill_(float("nan") if value.is_floating_point() or value.is_complex() else 77)
    return {leaf.value.data_ptr() for leaf in called.tensors()}


def _shares(outputs: Sequence[Leaf], memory: set[int]) -> bool:
    return any(leaf.value.data_ptr() in memory for leaf in outputs if leaf.value.numel())


def _all_nan(value: torch.Tensor) -> bool:
    """As memory that no kernel has written."""
    return (value.is_floating_point() or value.is_complex()) and bool(torch.isnan(value).all())
