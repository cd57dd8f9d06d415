"""Forward to graphs: with free sizes where possible, with the problem's own sizes where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import torch

from cudasmith.model import Graph, ProblemError
from cudasmith.stages._tracing.budget import TooLong, cpu_budget
from cudasmith.stages._tracing.convert import DataDependentNode, Unsupported, graph_of
from cudasmith.stages._tracing.explain import UserCode, sizes_depend_on_data, unsupported, untraceable
from cudasmith.stages._tracing.inline import inline_grad_blocks
from cudasmith.stages._tracing.load import Built
from cudasmith.stages._tracing.sizes import NotWritable
from cudasmith.stages._tracing.state import no_hidden_state

Say = Callable[[str], None]
SYMBOLIC_S = 20.0  # of processor time; 200 convolutions with all sizes free take 55 s, the first only 17 s
Fixed = frozenset[tuple[int, int]]  # (argument, dimension) that may not vary


@attrs.frozen
class Traced:
    """One mode's graph, and the program it came from."""

    graph: Graph
    program: Any
    built: Built


@attrs.frozen
class Pair:
    """Both modes. `why_static` is set when some or all sizes had to be fixed; `dynamic` is False for all."""

    train: Traced
    eval: Traced
    why_static: str | None
    dynamic: bool = True


def both_modes(make: Callable[[], Built], code: UserCode, say: Say) -> Pair:
    """Train and eval graphs over the same free sizes: all of them, or the first dimensions, or none.

    Raises: ProblemError.
    """
    why: str | None = None
    for first_only in (False, True):
        try:
            with cpu_budget(SYMBOLIC_S):
                pair = _agreeing(make, code, say, first_only)
            if pair is not None:
                return attrs.evolve(pair, why_static=why)
            why = why or "train and eval mode allow different sizes"
        except ProblemError:
            raise
        except (Exception, TooLong) as error:  # noqa: BLE001 - tried again with fixed sizes, which explains it
            why = why or (str(error).strip().splitlines() or [type(error).__name__])[0]
    return _static(make, code, say, why)


def _static(make: Callable[[], Built], code: UserCode, say: Say, why: str | None) -> Pair:
    """With the problem's own sizes; what fails here cannot be captured at all. Raises: ProblemError."""
    try:
        train, evaluated = (_trace(make, code, say, mode, None) for mode in (True, False))
        return Pair(train, evaluated, why, dynamic=False)
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


def _agreeing(make: Callable[[], Built], code: UserCode, say: Say, first_only: bool) -> Pair | None:
    """With free sizes. A dimension that one mode fixes is fixed in the other; None if that is not enough."""
    fixed = _later_dimensions(make()) if first_only else frozenset()
    for _ in range(2):
        train, evaluated = (_trace(make, code, say, mode, fixed) for mode in (True, False))
        if [v.dims for v in train.graph.inputs] == [v.dims for v in evaluated.graph.inputs]:
            return Pair(train, evaluated, None)
        fixed |= _fixed(train) | _fixed(evaluated)
    return None


def _later_dimensions(built: Built) -> Fixed:
    """All but the first of each tensor: most often the batch."""
    values = enumerate(built.arguments.values)
    return frozenset((i, d) for i, v in values if isinstance(v, torch.Tensor) for d in range(1, v.dim()))


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
