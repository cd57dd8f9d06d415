"""Inputs of an emulated run: the file's own, or those of a case that fits a CPU; and what must come out."""

from __future__ import annotations

import math
from typing import Any

import attrs
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from cudasmith.model import Case, InputCase
from cudasmith.stages._emulate.load import Parts
from cudasmith.stages._emulate.request import Request
from cudasmith.stages._verify.execute import prepared, words
from cudasmith.stages._verify.outputs import leaves
from cudasmith.stages._verify.reference import Answer, answer
from cudasmith.stages._verify.subjects import Reference, seed_all

UNKNOWN_STEPS = 16  # roundings added where nobody knows the model's graph


class TooLarge(Exception):
    """The file's own inputs hold more elements than the limit. Says how many."""


class ReferenceFailed(Exception):
    """The reference cannot be run on any of the inputs. Says why."""


@attrs.frozen
class Task:
    """One call: its arguments and, with a reference, what it must give."""

    case: Case
    args: list[Any]
    wanted: Answer | None


def task(request: Request, given: Parts, reference: Reference | None) -> Task:
    """The call to make.

    Raises: TooLarge, ReferenceFailed, and what get_inputs raises.
    """
    if reference is None or request.capture is None or not request.cases:
        return _own(request, given, reference)
    failed = ""
    for case in request.cases:
        try:
            made = Task(*prepared(request.capture, reference, "1", "cpu", case))
        except Exception as error:  # noqa: BLE001 - the user's model may refuse values in any way
            failed = words(error)
            continue
        if _finite(made) or case is request.cases[-1]:
            return made
    raise ReferenceFailed(failed)


def _finite(made: Task) -> bool:
    """Whether the reference has no NaN and no infinity: a logarithm of negative values proves little."""
    assert made.wanted is not None
    return all(bool(torch.isfinite(e.own).all()) for e in made.wanted.target.outputs)


def _own(request: Request, given: Parts, reference: Reference | None) -> Task:
    if request.max_elements is not None and (found := elements(given, request.seed)) > request.max_elements:
        raise TooLarge(f"{found:,} elements, more than {request.max_elements:,}")
    seed_all(request.seed)
    args = list(given.get_inputs())
    case = _case(args, request.seed)
    if reference is None:
        return Task(case, args, None)
    try:
        return Task(case, args, answer(reference, case, args, _terms(reference, args)))
    except Exception as error:
        raise ReferenceFailed(words(error)) from error


def elements(given: Parts, seed: int) -> int:
    """Elements of the file's own inputs, which are not allocated where torch can avoid it."""
    seed_all(seed)
    try:
        with FakeTensorMode(allow_non_fake_inputs=True):
            made = given.get_inputs()
    except Exception:  # noqa: BLE001 - it may look at values, which only real tensors have
        seed_all(seed)
        made = given.get_inputs()
    return sum(leaf.value.numel() for leaf in leaves(made) if isinstance(leaf.value, torch.Tensor))


def _case(args: list[Any], seed: int) -> Case:
    tensors = [a for a in args if isinstance(a, torch.Tensor)]
    made = tuple(InputCase(tuple(t.shape), str(t.dtype).removeprefix("torch."), "problem") for t in tensors)
    return Case("own_inputs", (), made, True, seed, full=True)


def _terms(reference: Reference, args: list[Any]) -> int:
    """Without a graph: the longest dimension, or elements of one input, bound a contraction well enough."""
    shapes = [*reference.parameter_shapes(), *(a.shape for a in args if isinstance(a, torch.Tensor))]
    return max((math.prod(shape[1:]) or 1 for shape in shapes), default=1) + UNKNOWN_STEPS
