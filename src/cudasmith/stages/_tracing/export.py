"""Forward to graphs: with free sizes where possible, with the problem's own sizes where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import torch

from cudasmith.model import Graph, ProblemError
from cudasmith.stages._tracing.convert import DataDependentNode, Unsupported, graph_of
from cudasmith.stages._tracing.explain import UserCode, sizes_depend_on_data, unsupported, untraceable
from cudasmith.stages._tracing.inline import inline_grad_blocks
from cudasmith.stages._tracing.load import Built
from cudasmith.stages._tracing.sizes import NotWritable
from cudasmith.stages._tracing.state import no_hidden_state

Say = Callable[[str], None]
Fixed = frozenset[tuple[int, int]]  # (argument, dimension) that may not vary


@attrs.frozen
class Traced:
    """One mode's graph, and the program it came from."""

    graph: Graph
    program: Any
    built: Built


@attrs.frozen
class Pair:
    """Both modes. `why_static` is set when sizes had to be fixed."""

    train: Traced
    eval: Traced
    why_static: str | None


def both_modes(make: Callable[[], Built], code: UserCode, say: Say) -> Pair:
    """Train and eval graphs over the same free sizes. Raises: ProblemError."""
    try:
        pair = _agreeing(make, code, say)
        if pair is not None:
            return pair
        why = "train and eval mode allow different sizes"
    except ProblemError:
        raise
    except Exception as error:  # noqa: BLE001 - any failure: tried again with fixed sizes, which explains it
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
    try:
        return Pair(_trace(make, code, say, True, None), _trace(make, code, say, False, None), why)
    except DataDependentNode as error:
        raise sizes_depend_on_data(error.source, code) from error
    except Unsupported as error:
        raise unsupported(str(error), error.source, code) from error
    except NotWritable as error:
        raise unsupported(str(error), None, code) from error
    except ProblemError:
        raise
    except (Exception, SystemExit) as error:
        raise untraceable(error, code) from error


def _agreeing(make: Callable[[], Built], code: UserCode, say: Say) -> Pair | None:
    """With free sizes. A dimension that one mode fixes is fixed in the other; None if that is not enough."""
    fixed: Fixed = frozenset()
    for _ in range(2):
        train, evaluated = (_trace(make, code, say, mode, fixed) for mode in (True, False))
        if [v.dims for v in train.graph.inputs] == [v.dims for v in evaluated.graph.inputs]:
            return Pair(train, evaluated, None)
        fixed = _fixed(train) | _fixed(evaluated)
    return None


def _fixed(traced: Traced) -> Fixed:
    values = traced.built.arguments.values
    positions = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]
    found = zip(positions, traced.graph.inputs, strict=True)
    return frozenset((i, d) for i, v in found for d, text in enumerate(v.dims) if text.isdigit())


def _trace(
    make: Callable[[], Built], code: UserCode, say: Say, training: bool, fixed: Fixed | None
) -> Traced:
    """One export of a fresh Model, so that nothing is left over from another one."""
    say("build")
    built = make()
    say("train" if training else "eval")
    built.model.train(training)
    given = built.arguments
    shapes = None if fixed is None else given.dynamic_shapes(built.model, fixed)
    with no_hidden_state(code):
        program = torch.export.export(
            built.model, given.args, given.kwargs, dynamic_shapes=shapes, strict=False
        )
    inline_grad_blocks(program.graph_module)
    return Traced(graph_of(program, given.names, code), program, built)
