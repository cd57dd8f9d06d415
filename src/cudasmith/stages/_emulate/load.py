"""Loading: the candidate's file as a module or as `__main__`, its ModelNew and the reference beside it."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import torch

from cudasmith.model import Problem
from cudasmith.stages._emulate.request import Request
from cudasmith.stages._verify.subjects import (
    Reference,
    StateMismatch,
    as_reference,
    construct_candidate,
    import_text,
    named,
    run_text,
    seed_all,
)

NAME = "cudasmith_candidate"


def load_file(request: Request, name: str) -> types.ModuleType:
    """Run the candidate's text as the module `name`, under its own path, so that tracebacks have its lines."""
    seed_all(request.seed)
    return run_text(request.candidate.text, request.file, Path(request.workdir), name)


@attrs.frozen
class Parts:
    """The functions and classes that a run takes from the reference's file, or from the candidate's."""

    model_class: Callable[..., torch.nn.Module] | None
    get_inputs: Callable[[], list[Any]]
    get_init_inputs: Callable[[], Any]


def parts(request: Request, module: types.ModuleType, workdir: Path) -> Parts:
    """Raises: what the reference's file raises."""
    sources = [module]
    problem = request.problem
    if problem is not None and not request.own:
        sys.path.append(str(Path(problem.path).resolve().parent))
        sources.insert(0, import_text(problem.source, workdir, "cudasmith_reference"))
    return Parts(
        getattr(sources[0], problem.class_name) if problem is not None else None,
        next(m.get_inputs for m in sources if hasattr(m, "get_inputs")),
        next((m.get_init_inputs for m in sources if hasattr(m, "get_init_inputs")), list),
    )


def reference_of(given: Parts, problem: Problem, *, visible: bool) -> Reference:
    """The reference's model and its float64 twin. `visible`: equal parameters are moved apart."""
    assert given.model_class is not None
    init = init_of(given, problem.seed)
    seed_all(problem.seed)
    model = given.model_class(*init)
    return as_reference(model, init, given.get_inputs, problem.seed, "cpu", visible=visible)


def init_of(given: Parts, seed: int) -> tuple[Any, ...]:
    seed_all(seed)
    return tuple(given.get_init_inputs())


def candidate_model(
    module: types.ModuleType, given: Parts, reference: Reference | None, seed: int
) -> tuple[torch.nn.Module, str]:
    """ModelNew and, where it has not the reference's parameters, a note that says so.

    Raises: what its constructor raises.
    """
    if reference is None:
        init = tuple(v.cuda() if isinstance(v, torch.Tensor) else v for v in init_of(given, seed))
        seed_all(seed)
        return module.ModelNew(*init).cuda(), ""
    try:
        return construct_candidate(module, reference, seed, "cuda"), ""
    except StateMismatch as error:
        seed_all(seed)
        model = module.ModelNew(*reference.init).cuda()
        return model, f"parameters come from the same seed, not by name: {error}"


__all__ = ["NAME", "Parts", "candidate_model", "load_file", "named", "parts", "reference_of"]
