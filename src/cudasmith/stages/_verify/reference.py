"""What a case must give: the reference in float64, in its own dtype, and on absolute values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs
import torch

from cudasmith.model import Case
from cudasmith.stages._verify.compare import Expected
from cudasmith.stages._verify.inputs import changed, copy_args, map_floats
from cudasmith.stages._verify.judge import Target
from cudasmith.stages._verify.outputs import leaves
from cudasmith.stages._verify.subjects import Reference, State, absolute_state, reset, seed_all

T = TypeVar("T")
BUFFER = "buffer "  # path of a buffer among the outputs


@attrs.frozen
class Answer:
    """The target of one case. `mutates`: the reference itself writes to its inputs."""

    target: Target
    mutates: bool
    note: str = ""


def answer(reference: Reference, case: Case, args: list[Any], terms: int) -> Answer:
    """Run the reference. Raises what it raises: then the case is not valid for this model."""
    used = copy_args(args)
    own = run(reference.model, reference.state, case, used)
    mutates = changed(args, used) is not None
    own_buffers = buffers(reference.model) if case.training else {}
    note = ""
    try:
        exact = _in_double(reference, reference.state, case, copy_args(args))
        exact_buffers = buffers(reference.double) if case.training else {}
    except Exception as error:  # noqa: BLE001 - user code may fix its dtype; then its own result is the reference
        exact, exact_buffers = own, own_buffers
        note = f"reference in its own dtype, float64 fails: {_first_line(error)}"
    absolute = {leaf.path: leaf.value for leaf in leaves(_absolute(reference, case, args))}
    outputs = _paired(own, exact, absolute) + _paired_buffers(own_buffers, exact_buffers)
    return Answer(Target.of(own, outputs, terms), mutates, note)


def run(model: torch.nn.Module, state: State, case: Case, args: list[Any]) -> Any:
    """One forward from a known state and seed, without gradients."""
    with torch.no_grad():
        return recorded(model, state, case, args)


def recorded(model: torch.nn.Module, state: State, case: Case, args: list[Any]) -> Any:
    """One forward from a known state and seed, with gradients where they are on."""
    reset(model, state)
    model.train(case.training)
    seed_all(case.seed)
    return model(*args)


def buffers(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The buffers of a module as leaves, as they are now."""
    return {BUFFER + name: tensor.clone() for name, tensor in model.named_buffers()}


def _in_double(reference: Reference, state: State, case: Case, args: list[Any]) -> Any:
    return in_double(lambda: run(reference.double, state, case, map_floats(args, lambda t: t.double())))


def in_double(made: Callable[[], T]) -> T:
    """What `made` gives where tensors that forward makes itself are float64."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return made()
    finally:
        torch.set_default_dtype(before)


def _absolute(reference: Reference, case: Case, args: list[Any]) -> Any:
    """The float64 reference on absolute values, or None where it has none (a log of a sum, no memory)."""
    try:
        return _in_double(
            reference, absolute_state(reference.state), case, map_floats(copy_args(args), torch.abs)
        )
    except Exception:  # noqa: BLE001 - optional: the tolerance then rests on |reference| alone
        return None


def _paired(own: Any, exact: Any, absolute: dict[str, Any]) -> tuple[Expected, ...]:
    found = []
    for mine, best in zip(leaves(own), leaves(exact), strict=True):
        if isinstance(mine.value, torch.Tensor):
            extra = absolute.get(mine.path)
            fits = isinstance(extra, torch.Tensor) and extra.shape == mine.value.shape
            floating = mine.value.is_floating_point() and extra is not None and fits
            found.append(Expected(mine.path, best.value, mine.value, extra if floating else None))
    return tuple(found)


def _paired_buffers(own: dict[str, torch.Tensor], exact: dict[str, torch.Tensor]) -> tuple[Expected, ...]:
    return tuple(Expected(path, exact[path], tensor) for path, tensor in own.items() if path in exact)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
