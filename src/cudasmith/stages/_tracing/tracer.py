"""Everything learnt by running the user's code once, put together."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import torch

from cudasmith.model import Capture, InputSpec, Problem, StateEntry
from cudasmith.stages._tracing.convert import dtype_name
from cudasmith.stages._tracing.explain import UserCode
from cudasmith.stages._tracing.export import Pair, Traced, both_modes
from cudasmith.stages._tracing.load import load
from cudasmith.stages._tracing.sizes import free_sizes, guards


def capture_here(problem: Problem, say: Callable[[str], None]) -> Capture:
    """Runs the user's code in this process. Raises: ProblemError."""
    code = UserCode(problem.path, problem.origin)
    say("import")
    pair = both_modes(load(problem, code), code, say)
    train, evaluated = pair.train, pair.eval
    model = train.built.model
    return Capture(
        inputs=_specs(train),
        free_sizes=_free(pair),
        init_literals=_init(train.built.init),
        train=train.graph,
        eval=evaluated.graph,
        state=_state(model),
        forward_args=train.built.arguments.names,
        class_name=problem.class_name,
        same=train.graph == evaluated.graph,
        dynamic=pair.dynamic,
        why_static=pair.why_static,
        tied=_tied(model),
        guards=tuple(dict.fromkeys(guards(train.program, code) + guards(evaluated.program, code))),
    )


def _specs(traced: Traced) -> tuple[InputSpec, ...]:
    tensors = iter(traced.graph.inputs)
    given = traced.built.arguments
    return tuple(
        InputSpec(n, next(tensors)) if isinstance(x, torch.Tensor) else InputSpec(n, None, x)
        for n, x in zip(given.names, given.values, strict=True)
    )


def _free(pair: Pair) -> tuple[tuple[str, int, int, int], ...]:
    """The free sizes of both modes, each in the range that both allow."""
    other = {name: (low, high) for name, _, low, high in free_sizes(pair.eval.program)}
    return tuple(
        (name, hint, max(low, other[name][0]), min(high, other[name][1]))
        for name, hint, low, high in free_sizes(pair.train.program)
        if name in other
    )


def _init(init: tuple[Any, ...]) -> tuple[tuple[str, ...], bool]:
    """The reprs, and whether each reads back as the same value."""
    texts = tuple(repr(a) for a in init)
    return texts, all(_is_literal(text, value) for text, value in zip(texts, init, strict=True))


def _is_literal(text: str, value: Any) -> bool:
    try:
        return bool(ast.literal_eval(text) == value)
    except (ValueError, SyntaxError):
        return False


def _state(model: torch.nn.Module) -> tuple[StateEntry, ...]:
    """Parameters and buffers of every module, in state_dict order; shared modules once."""
    entries = []
    for prefix, module in model.named_modules():
        dot = f"{prefix}." if prefix else ""
        for name, parameter in module._parameters.items():
            if parameter is not None:
                entries.append(_entry(dot + name, parameter, "parameter", True))
        for name, buffer in module._buffers.items():
            if buffer is not None:
                keep = name not in module._non_persistent_buffers_set
                entries.append(_entry(dot + name, buffer, "buffer", keep))
    return tuple(entries)


def _entry(path: str, tensor: torch.Tensor, kind: str, persistent: bool) -> StateEntry:
    return StateEntry(
        path, tuple(tensor.shape), dtype_name(tensor.dtype), kind, persistent, tensor.requires_grad
    )


def _tied(model: torch.nn.Module) -> tuple[tuple[str, str], ...]:
    """(second path, first path) of each parameter or buffer that the state dict lists twice."""
    first: dict[int, str] = {}
    tied = []
    named = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
    for path, tensor in named:
        if first.setdefault(id(tensor), path) != path:
            tied.append((path, first[id(tensor)]))
    return tuple(tied)
