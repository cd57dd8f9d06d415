"""Gradients: forward once more with gradients, then backward, and what comes out against the reference's in float64.

Two gradients are sent back: a seeded one, and that of `out.sum()`, which is one element expanded to the output's shape
(stride 0), so that a backward that reads it as dense memory is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import torch

from cudasmith import emulator
from cudasmith.model import CaseResult, CaseStatus
from cudasmith.stages._emulate.inputs import Task
from cudasmith.stages._verify.compare import Expected, tolerance_of
from cudasmith.stages._verify.execute import case_result, words
from cudasmith.stages._verify.inputs import copied, map_floats
from cudasmith.stages._verify.judge import Judgement, Target, judge, trivially_passes
from cudasmith.stages._verify.outputs import Leaf, leaves, structure
from cudasmith.stages._verify.reference import Answer, in_double, recorded
from cudasmith.stages._verify.subjects import Reference, State, absolute_state

SEEDED, SUMMED = "a seeded gradient", "the gradient of out.sum(), which is expanded"
KINDS = (SEEDED, SUMMED)
GRADIENT = "gradient of "  # path of a gradient among the outputs
PARAMETER = GRADIENT + "parameter "
Gradients = dict[str, torch.Tensor | None]  # by "gradient of input 0", "gradient of parameter NAME"
SEED_STEP = 7919  # between the seeds of two outputs' gradients


class NoGradient(Exception):
    """What was called gives nothing that has a gradient. Says what."""


def backward(model: torch.nn.Module, state: State, task: Task, kind: str) -> Gradients:
    """One forward and one backward of the candidate on the emulated device.

    Raises: NoGradient, and what forward and backward raise.
    """
    return _gradients(model, state, task, kind, task.args, emulator.put_on_device)


def wanted(reference: Reference, task: Task, kind: str, known: Mapping[str, torch.Tensor]) -> Answer:
    """What `backward` must give. `known`: the candidate's parameters; those of other names are not compared.

    Raises: NoGradient where no output of the reference has a gradient, and what it raises.
    """
    state = reference.state
    own = _gradients(reference.model, state, task, kind, task.args)
    notes = []
    try:
        exact = _exact(reference, state, task, kind)
    except Exception as error:  # noqa: BLE001 - user code may fix its dtype; then its own gradient is the reference
        exact = own
        notes.append(f"gradients of the reference in its own dtype, float64 fails: {words(error)}")
    absolute = _absolute(reference, state, task, kind)
    unknown = [PARAMETER + n for n, t in state.items() if (p := known.get(n)) is None or p.shape != t.shape]
    outputs = [
        Expected(path, best, mine, absolute.get(path))
        for path, mine in own.items()
        if mine is not None and (best := exact.get(path)) is not None and path not in unknown
    ]
    if left := [path for path in own if path in unknown]:
        notes.append(f"not compared, as ModelNew has no such parameter: {', '.join(left)}")
    if not outputs:
        raise NoGradient("no input and no parameter has a gradient in the reference")
    named = {e.path: e.own for e in outputs}
    tolerances = tuple(tolerance_of(e, _terms(task, e.own)) for e in outputs)
    return Answer(Target(structure(named), tuple(outputs), (), tolerances), False, "; ".join(notes))


def compared(task: Task, kind: str, answer: Answer, got: Gradients) -> CaseResult:
    """By the rule of the outputs. A gradient of None counts as zero, which it must then be."""
    missing = [e for e in answer.target.outputs if got.get(e.path) is None and bool((e.reference != 0).any())]
    if missing:
        message = f"backward returns None as {missing[0].path}, which the reference differentiates"
        judged = Judgement(CaseStatus.WRONG_TYPE, missing[0].path, message=message)
    else:
        full = {e.path: _or_zeros(got.get(e.path), e.own) for e in answer.target.outputs}
        judged = judge(answer.target, full, {})
    if (
        judged.status is CaseStatus.PASSED
        and (name := trivially_passes(answer.target, task.args)) is not None
    ):
        judged = attrs.evolve(judged, status=CaseStatus.NON_DISCRIMINATING, message=f"{name} would pass too")
    if judged.message:
        judged = attrs.evolve(judged, message=f"with {kind}: {judged.message}")
    return case_result(task.case, judged, answer, None)


def worst(results: Sequence[CaseResult]) -> CaseResult:
    """The result that is told: a wrong one, else the one that proves most."""
    order = (CaseStatus.PASSED, CaseStatus.NON_DISCRIMINATING)
    return min(results, key=lambda one: order.index(one.status) if one.status in order else -1)


def _or_zeros(found: torch.Tensor | None, like: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(like) if found is None else found


def _exact(reference: Reference, state: State, task: Task, kind: str) -> Gradients:
    args = map_floats(list(task.args), lambda t: t.detach().double())
    return in_double(lambda: _gradients(reference.double, state, task, kind, args))


def _absolute(reference: Reference, state: State, task: Task, kind: str) -> dict[str, torch.Tensor]:
    """The gradients on absolute values, where the reference has them: what roundings are proportional to."""
    args = map_floats(list(task.args), lambda t: t.detach().double().abs())
    absolute = absolute_state(state)
    try:
        made = in_double(lambda: _gradients(reference.double, absolute, task, kind, args, magnitude=True))
    except Exception:  # noqa: BLE001 - optional: the tolerance then rests on |reference| alone
        return {}
    return {path: tensor for path, tensor in made.items() if tensor is not None}


def _gradients(
    model: torch.nn.Module,
    state: State,
    task: Task,
    kind: str,
    args: Sequence[Any],
    place: Callable[[torch.Tensor], torch.Tensor] = lambda tensor: tensor,
    *,
    magnitude: bool = False,
) -> Gradients:
    used = [_leaf(a, place) if isinstance(a, torch.Tensor) else a for a in args]
    made = recorded(model, state, task.case, used)
    outputs = [leaf for leaf in leaves(made) if _has_gradient(leaf.value)]
    if not outputs:
        raise NoGradient("no output of forward requires grad")
    sent = [place(_sent(leaf, kind, task.case.seed, magnitude)) for leaf in outputs]
    sources = {f"{GRADIENT}input {i}": a for i, a in enumerate(used) if _has_gradient(a)}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            sources[PARAMETER + name] = parameter
    found = torch.autograd.grad([o.value for o in outputs], list(sources.values()), sent, allow_unused=True)
    return dict(zip(sources, found, strict=True))


def _leaf(tensor: torch.Tensor, place: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """A copy in its own memory, which requires grad where it can."""
    made = place(copied(tensor.detach()))
    return made.requires_grad_() if made.is_floating_point() or made.is_complex() else made


def _has_gradient(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _sent(leaf: Leaf, kind: str, seed: int, magnitude: bool) -> torch.Tensor:
    """The gradient of one output: the same values for candidate and reference, in any dtype."""
    value = leaf.value
    if kind == SUMMED:
        return torch.ones((), dtype=value.dtype).expand(value.shape)
    generator = torch.Generator(device="cpu").manual_seed(seed + SEED_STEP + sum(map(ord, leaf.path)))
    steps = torch.randint(-128, 129, tuple(value.shape), generator=generator)
    drawn = steps.to(value.dtype) / 64  # exact in every dtype, so that all are sent the same
    return drawn.abs() if magnitude else drawn


def _terms(task: Task, gradient: torch.Tensor) -> int:
    """Additions behind one element of a gradient: the forward's, shared among the elements that they flow back to."""
    assert task.wanted is not None
    forward = max((t.terms for t in task.wanted.target.tolerances if t is not None), default=1)
    made = task.wanted.target.elements()
    return int(forward + forward * made // max(1, gradient.numel()))
