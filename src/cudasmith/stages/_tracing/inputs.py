"""The arguments of forward, as get_inputs gives them."""

from __future__ import annotations

import inspect
from typing import Any

import attrs
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.export import Dim

from cudasmith.model import ProblemError
from cudasmith.stages._tracing.explain import UserCode

PLAIN = (int, float, bool, str, type(None))


@attrs.frozen
class Arguments:
    """One call of forward. `names`: the parameters that get an argument, `*xs` counted out as xs_0, xs_1."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    names: tuple[str, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.args, *self.kwargs.values())

    def dynamic_shapes(self, model: torch.nn.Module, fixed: frozenset[tuple[int, int]]) -> dict[str, Any]:
        """What torch.export wants: every dimension free, but those in `fixed` (argument, dimension)."""
        flat = [
            {d: Dim.STATIC if (i, d) in fixed else Dim.AUTO for d in range(v.dim())}
            if isinstance(v, torch.Tensor)
            else None
            for i, v in enumerate(self.values)
        ]
        shapes: dict[str, Any] = {}
        for name, p in inspect.signature(model.forward).parameters.items():
            if p.kind is p.VAR_POSITIONAL:
                count = len(self.args) - len(shapes)
                shapes[name] = tuple(flat[len(shapes) :][:count])
            elif name in self.names:
                shapes[name] = flat[self.names.index(name)]
        return shapes


def arguments(model: torch.nn.Module, given: Any, mode: FakeTensorMode, code: UserCode) -> Arguments:
    """The call that get_inputs means, with fake tensors. Raises: ProblemError CSP024, CSP025."""
    if not isinstance(given, (list, tuple, dict)):
        raise ProblemError(
            "CSP024",
            f"get_inputs returns a {_type_name(given)}",
            where=code.name,
            help="return a list of the arguments of forward: [x]",
        )
    bound = _bind(model, given, code)
    names = _names(bound)
    seen: set[int] = set()
    args = tuple(_argument(n, v, mode, seen, code) for n, v in zip(names, bound.args, strict=False))
    kwargs = {n: _argument(n, v, mode, seen, code) for n, v in bound.kwargs.items()}
    if not any(isinstance(v, torch.Tensor) for v in (*args, *kwargs.values())):
        raise ProblemError(
            "CSP024",
            "get_inputs returns no tensor",
            where=code.name,
            help="forward needs a tensor argument: def get_inputs(): return [torch.rand(...)]",
        )
    return Arguments(args, kwargs, names)


def _bind(model: torch.nn.Module, given: Any, code: UserCode) -> inspect.BoundArguments:
    signature = inspect.signature(model.forward)
    try:
        return signature.bind(**given) if isinstance(given, dict) else signature.bind(*given)
    except TypeError as error:
        raise ProblemError(
            "CSP025",
            f"forward{signature} does not take the {len(given)} arguments from get_inputs: {error}",
            where=code.line_of(model.forward),
            help="get_inputs must return one value for each argument of forward, in order",
        ) from error


def _names(bound: inspect.BoundArguments) -> tuple[str, ...]:
    names: list[str] = []
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{name}_{i}" for i in range(len(value))]
        elif kind is inspect.Parameter.VAR_KEYWORD:
            names += list(value)
        else:
            names.append(name)
    return tuple(names)


def _argument(name: str, value: Any, mode: FakeTensorMode, seen: set[int], code: UserCode) -> Any:
    """A fake tensor of its own, or a plain value. export takes one tensor given twice for one argument."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            raise ProblemError(
                "CSP024",
                f"argument {name} is a {value.layout} tensor, not a dense one",
                where=code.name,
                help="make it dense in get_inputs: x.to_dense()",
            )
        with mode:
            fake = value if isinstance(value, FakeTensor) else mode.from_tensor(value)
            fake = fake.clone() if id(value) in seen else fake
        seen.add(id(value))
        return fake
    if isinstance(value, PLAIN):
        return value
    raise ProblemError(
        "CSP024",
        f"argument {name} of forward is a {type(value).__name__}: tensors, numbers and strings are supported",
        where=code.name,
        help="pass each tensor of a list or dict as an argument of its own; torch.from_numpy for arrays",
    )


def _type_name(value: Any) -> str:
    return "Tensor" if isinstance(value, torch.Tensor) else type(value).__name__
