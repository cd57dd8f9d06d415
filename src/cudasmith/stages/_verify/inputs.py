"""Inputs of a case: values, layouts, and copies that keep both. Runs in the worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from cudasmith.model import Case, InputCase, InputSpec

SPRINKLED = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0)
SPRINKLE_EVERY = 7  # one element in seven is special


def make_args(specs: Sequence[InputSpec], case: Case, limit: int, device: str) -> list[Any]:
    """The positional arguments of forward: tensors made from the case, numbers as captured.

    Same case, same values. `limit` bounds integers from above, exclusively.
    """
    made = iter(case.inputs)
    args: list[Any] = []
    for position, spec in enumerate(specs):
        if spec.value is None:
            args.append(spec.literal)
        else:
            args.append(make_tensor(next(made), case.seed + 1000 * position, limit, device))
    return args


def make_tensor(spec: InputCase, seed: int, limit: int, device: str) -> torch.Tensor:
    """One input: its distribution and its layout in memory."""
    generator = torch.Generator(device=device).manual_seed(seed)
    dtype = getattr(torch, spec.dtype)
    shape = (1, *spec.shape[1:]) if spec.layout == "expanded" and spec.shape else spec.shape
    values = _values(shape, dtype, spec.distribution, limit, generator)
    return _laid_out(values, spec)


def integer_limit(case: Case, parameter_shapes: Sequence[Sequence[int]]) -> int:
    """A bound that is a valid index into every dimension of every input and parameter; at least 1."""
    dims = [d for i in case.inputs for d in i.shape] + [d for shape in parameter_shapes for d in shape]
    return max(1, min((d for d in dims if d > 1), default=2))


def _values(
    shape: Sequence[int], dtype: torch.dtype, distribution: str, limit: int, generator: torch.Generator
) -> torch.Tensor:
    where = {"device": generator.device, "generator": generator}
    if dtype == torch.bool:
        return torch.randint(0, 2, tuple(shape), **where).bool()
    if not (dtype.is_floating_point or dtype.is_complex):
        return torch.randint(0, limit, tuple(shape), **where).to(dtype)
    if distribution == "problem":
        return torch.rand(tuple(shape), **where).to(dtype)
    if distribution == "near_one":
        return (0.9 + 0.2 * torch.rand(tuple(shape), **where)).to(dtype)
    if distribution == "ties":
        return torch.randint(-3, 4, tuple(shape), **where).to(dtype)
    drawn = torch.randn(tuple(shape), **where) * {"large": 1e3, "tiny": 1e-3}.get(distribution, 1.0)
    return _sprinkled(drawn).to(dtype) if distribution == "special" else drawn.to(dtype)


def _sprinkled(values: torch.Tensor) -> torch.Tensor:
    flat = values.reshape(-1)
    for start, value in enumerate(SPRINKLED):
        flat[SPRINKLE_EVERY * (start + 1) - 3 :: SPRINKLE_EVERY * len(SPRINKLED)] = value
    return values


def _laid_out(values: torch.Tensor, spec: InputCase) -> torch.Tensor:
    """The values in memory as `spec.layout` says; always a view that starts in fresh storage."""
    if spec.layout == "expanded":
        return values.expand(spec.shape)
    if spec.layout == "transposed":
        return values.transpose(-1, -2).contiguous().transpose(-1, -2)
    if spec.layout == "misaligned":
        base = values.new_full((values.numel() + 1,), _around(values))
        return base[1:].view(values.shape).copy_(values)
    if spec.layout == "sliced":
        base = values.new_full((*values.shape[:-1], values.shape[-1] + 3), _around(values))
        return base[..., 1:-2].copy_(values)
    return values


def _around(values: torch.Tensor) -> float:
    """What lies beside a view in its storage: NaN, so that a kernel that uses it shows."""
    return float("nan") if values.is_floating_point() else 0


def storage_of(tensor: torch.Tensor) -> torch.Tensor:
    """All elements of the storage behind a view, as one flat tensor that shares it."""
    count = tensor.untyped_storage().nbytes() // tensor.element_size()
    return tensor.as_strided((count,), (1,), 0)


def copied(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same strides, offset and surroundings in memory."""
    return storage_of(tensor).clone().as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


def copy_args(args: Sequence[Any]) -> list[Any]:
    """Copies of the tensors, everything else as it is."""
    return [copied(a) if isinstance(a, torch.Tensor) else a for a in args]


def overwrite(old: Sequence[Any], new: Sequence[Any]) -> None:
    """Put the bytes of `new` where those of `old` are, tensor by tensor. Layouts are equal."""
    for a, b in zip(old, new, strict=True):
        if isinstance(a, torch.Tensor):
            storage_of(a).copy_(storage_of(b))


def map_floats(value: Any, change: Any) -> Any:
    """`value` with `change` applied to each floating tensor, through tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        return change(value) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {k: map_floats(v, change) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        items = [map_floats(v, change) for v in value]
        return items if isinstance(value, list) else tuple(items)
    return value


def changed(before: Sequence[Any], after: Sequence[Any]) -> int | None:
    """The first position whose bytes differ, surroundings in memory included, or None."""
    for position, (a, b) in enumerate(zip(before, after, strict=True)):
        if isinstance(a, torch.Tensor):
            x, y = storage_of(a).view(torch.uint8), storage_of(b).view(torch.uint8)
            if not torch.equal(x, y):
                return position
    return None
