"""Entry function of the verify worker: set up once, then case after case, each told before and after."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from cudasmith.model import Capture, Case, CaseResult, CaseStatus, Problem
from cudasmith.model.jsonio import loads, to_data

Emit = Callable[[dict[str, Any]], None]


@attrs.frozen
class Request:
    """What the parent sends. `skip` names positions in `cases` that are done."""

    problem: Problem
    candidate: str
    capture: Capture
    cases: tuple[Case, ...]
    skip: tuple[int, ...]
    terms: str
    executor: str
    expects_launch: bool
    case_timeout_s: float
    workdir: str
    builder: str = "fast"  # on a GPU: "fast" or "torch"


def verify_here(data: bytes, emit: Emit) -> dict[str, Any]:
    """Run the cases. Results go out as events; the value says how it ended.

    {"end": "done"}, or "again" when this process is spoilt by a device fault, or what stopped the setup:
    "no_executor", "reference", "import", "construct", "state", with "message".
    """
    request = loads(data, Request)
    with _preparations_told(request, emit):
        return _verified(request, emit)


def _preparations_told(request: Request, emit: Emit) -> contextlib.AbstractContextManager[None]:
    """What the emulator makes once, and what takes long, is told when it begins."""
    if request.executor != "emulator":
        return contextlib.nullcontext()
    from cudasmith.emulator.toolchain import announced

    return announced(lambda what: emit({"preparing": what}))


def _verified(request: Request, emit: Emit) -> dict[str, Any]:
    from cudasmith.stages._verify.executors import executor  # torch loads here, in the child

    try:
        opened = executor(
            request.executor,
            Path(request.workdir),
            lambda build: emit({"build": to_data(build)}),
            builder=request.builder,
        )
        place = opened.__enter__()
    except (ImportError, RuntimeError, OSError) as error:
        return _stopped("no_executor", error)
    try:
        emit({"device": place.device, "tool": place.tool})
        return _with_executor(request, place, emit)
    finally:
        opened.__exit__(None, None, None)


def _with_executor(request: Request, place: Any, emit: Emit) -> dict[str, Any]:
    from cudasmith.stages._verify import subjects
    from cudasmith.stages._verify.execute import Bench

    workdir, doing = Path(request.workdir), "reference"
    try:
        emit({"phase": doing})
        reference = subjects.load_reference(request.problem, workdir, place.torch_device)
        emit({"phase": (doing := "import")})
        with place.fenced():
            module = subjects.load_candidate(request.candidate, workdir)
            emit({"phase": (doing := "construct")})
            seed = request.problem.seed
            candidate = subjects.construct_candidate(module, reference, seed, place.torch_device)
    except subjects.StateMismatch as error:
        return {"end": "state", "message": str(error)}
    except Exception as error:  # noqa: BLE001 - user code: its failure is the result
        return _stopped(doing, error)
    emit({"phase": "cases"})
    bench = Bench(
        request.capture,
        reference,
        candidate,
        place,
        request.terms,
        request.expects_launch,
        request.case_timeout_s,
    )
    return _run_cases(request, bench, emit)


def _run_cases(request: Request, bench: Any, emit: Emit) -> dict[str, Any]:
    from cudasmith.stages._verify.execute import run_case

    results = []
    first = min(set(range(len(request.cases))) - set(request.skip), default=0)
    for index, case in enumerate(request.cases):
        if index in request.skip:
            continue
        emit({"case": index, "name": case.name})
        result = run_case(bench, case, again=index == first)
        results.append(result)
        emit({"done": index, "result": to_data(result)})
        if bench.executor.name == "gpu" and result.status is CaseStatus.CUDA_FAULT:
            return {"end": "again"}  # the CUDA context is dead: every later call would fail
    if bench.executor.name == "emulator" and request.expects_launch:
        _control(bench, results, emit)
    return {"end": "done"}


def _control(bench: Any, results: list[CaseResult], emit: Emit) -> None:
    """One small case again without kernels."""
    from cudasmith.stages._verify.execute import words
    from cudasmith.stages._verify.skipped import skipped, smallest

    case = smallest(results)
    if case is None:
        return
    emit({"phase": "control"})
    try:
        made = skipped(bench, case)
    except Exception as error:  # noqa: BLE001 - user code
        emit({"control": f"not made: {words(error)}", "findings": []})
        return
    emit({"control": f"{made.text} (case {case.name})", "findings": to_data(made.findings)})


def _stopped(end: str, error: BaseException) -> dict[str, Any]:
    text = "".join(traceback.format_exception(error))
    return {"end": end, "message": f"{type(error).__name__}: {error}", "log": text}


__all__ = ["Request", "verify_here"]
