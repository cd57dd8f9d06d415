"""Load the user's code, build Model and inputs without data, export forward in both modes."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.export import Dim
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from cudasmith.model import Capture, Graph, InputSpec, Problem, StateEntry
from cudasmith.stages._tracing.convert import graph_of
from cudasmith.stages._tracing.sizes import INT64_MAX, bound


@attrs.frozen
class Built:
    """Model and the arguments of forward, fake or real."""

    model: torch.nn.Module
    inputs: tuple[Any, ...]
    init: tuple[Any, ...]


def capture_here(problem: Problem, say: Callable[[str], None]) -> Capture:
    """Raises: ProblemError."""
    say("import")
    module = load(problem)
    say("build")
    with fake():
        built = build(problem, module)
    say("train")
    train, program = export(problem, built, training=True, dynamic=True)
    say("eval")
    with fake():
        built = build(problem, module)
    evaluated, _ = export(problem, built, training=False, dynamic=True)
    return Capture(
        inputs=_specs(built, train),
        free_sizes=_free(program),
        init_literals=_init(built),
        train=train,
        eval=evaluated,
        state=_state(built.model),
        forward_args=tuple(inspect.signature(built.model.forward).parameters),
        class_name=problem.class_name,
        same=train == evaluated,
        dynamic=True,
        tied=_tied(built.model),
    )


def load(problem: Problem) -> types.ModuleType:
    module = types.ModuleType("cudasmith_reference")
    module.__file__ = problem.path
    sys.modules[module.__name__] = module
    sys.path.append(str(Path(problem.path).resolve().parent))
    lines = problem.source.splitlines(keepends=True)
    linecache.cache[problem.path] = (len(problem.source), None, lines, problem.path)
    exec(compile(problem.source, problem.path, "exec"), module.__dict__)
    return module


@contextlib.contextmanager
def fake() -> Iterator[None]:
    env = ShapeEnv(allow_scalar_outputs=False, allow_dynamic_output_shape_ops=False)
    with FakeTensorMode(shape_env=env, allow_non_fake_inputs=True):
        yield


def build(problem: Problem, module: types.ModuleType) -> Built:
    torch.manual_seed(problem.seed)
    get_init = getattr(module, "get_init_inputs", list)
    init = tuple(get_init())
    model = getattr(module, problem.class_name)(*init)
    return Built(model, tuple(module.get_inputs()), init)


def export(problem: Problem, built: Built, *, training: bool, dynamic: bool) -> tuple[Graph, Any]:
    built.model.train(training)
    shapes = None
    if dynamic:
        shapes = tuple(
            {i: Dim.AUTO for i in range(x.dim())} if isinstance(x, torch.Tensor) else None for x in built.inputs
        )
    program = torch.export.export(built.model, built.inputs, dynamic_shapes=shapes, strict=False)
    return graph_of(program, problem.path), program


def _specs(built: Built, graph: Graph) -> tuple[InputSpec, ...]:
    names = list(inspect.signature(built.model.forward).parameters)
    tensors = iter(graph.inputs)
    return tuple(
        InputSpec(n, next(tensors)) if isinstance(x, torch.Tensor) else InputSpec(n, None, x)
        for n, x in zip(names, built.inputs, strict=False)
    )


def _free(program: Any) -> tuple[tuple[str, int, int, int], ...]:
    hints = {}
    for node in program.graph.nodes:
        if node.op == "placeholder" and isinstance(node.meta["val"], torch.Tensor):
            for size in node.meta["val"].shape:
                if isinstance(size, torch.SymInt):
                    hints[str(size.node.expr)] = int(size.node.hint)
    free = []
    for symbol, span in program.range_constraints.items():
        if str(symbol) in hints:
            free.append((str(symbol), hints[str(symbol)], bound(span.lower, 0), bound(span.upper, INT64_MAX)))
    return tuple(free)


def _init(built: Built) -> tuple[tuple[str, ...], bool]:
    import ast

    texts = tuple(repr(a) for a in built.init)
    for text in texts:
        try:
            ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return texts, False
    return texts, True


def _state(model: torch.nn.Module) -> tuple[StateEntry, ...]:
    entries = []
    for prefix, module in model.named_modules():
        for name, p in module._parameters.items():
            if p is not None:
                entries.append(_entry(prefix, name, p, "parameter", True))
        for name, b in module._buffers.items():
            if b is not None:
                keep = name not in module._non_persistent_buffers_set
                entries.append(_entry(prefix, name, b, "buffer", keep))
    return tuple(entries)


def _entry(prefix: str, name: str, t: torch.Tensor, kind: str, persistent: bool) -> StateEntry:
    path = f"{prefix}.{name}" if prefix else name
    return StateEntry(path, tuple(t.shape), str(t.dtype)[6:], kind, persistent, t.requires_grad)


def _tied(model: torch.nn.Module) -> tuple[tuple[str, str], ...]:
    first: dict[int, str] = {}
    tied = []
    for path, p in model.named_parameters(remove_duplicate=False):
        if id(p) in first:
            tied.append((path, first[id(p)]))
        first.setdefault(id(p), path)
    return tuple(tied)
