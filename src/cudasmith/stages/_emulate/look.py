"""The parent's side of the look at full shape: a worker of its own, whose end costs nothing but the look."""

from __future__ import annotations

from typing import Any

import attrs

from cudasmith.model import Case, Emulation, Finding
from cudasmith.model.jsonio import dumps, from_data
from cudasmith.stages._emulate.request import Request
from cudasmith.workers import WorkerResult, WorkerStatus, run_worker

ENTRY = "cudasmith.stages._emulate.full_shape:look_here"
LOOK_S = 30.0  # for each step: 24 blocks take no time, PyTorch's own operators at full shape may
IMPORT_S = 60.0


def looked(
    seen: Emulation, request: Request, case: Case, shape: str, memory_bytes: int
) -> tuple[Emulation, str]:
    """`seen` with what shows at the problem's own sizes only, and a note on how far that was looked at."""
    events: list[dict[str, Any]] = []
    limit_s = min(request.timeout_s, LOOK_S)
    result = run_worker(
        ENTRY,
        dumps(attrs.evolve(request, cases=(case,), timeout_s=limit_s)).encode(),
        timeout_s=4 * limit_s + IMPORT_S,
        memory_bytes=memory_bytes,
        on_event=events.append,
    )
    found, why = _found(result, events)
    known = {(f.code, f.span) for f in seen.findings}
    new = tuple(_at(f, shape) for f in found if (f.code, f.span) not in known)
    how = f"at {shape} the first, the last and a sample of the blocks of each launch ran, on zeros, for addresses and launches alone"
    note = how if not why else f"the launches at {shape} were not looked at: {why}"
    return attrs.evolve(seen, findings=(*seen.findings, *new)), note


def _found(result: WorkerResult, events: list[dict[str, Any]]) -> tuple[list[Finding], str]:
    """The findings, and why forward did not come to its end there."""
    data = next((e["looked"] for e in events if "looked" in e), None)
    if data is not None:
        return [from_data(one, Finding) for one in data], ""
    if result.status is not WorkerStatus.OK:
        return [], _death(result)
    shown = [from_data(one, Finding) for one in result.value.get("shown", ())]
    return shown, "" if shown else str(result.value["message"]).splitlines()[0][:200]


def _death(result: WorkerResult) -> str:
    if result.status is WorkerStatus.MEMORY:
        return "the file needs too much memory there"
    return (
        f"the run takes too long there ({result.death})" if result.death else "the run takes too long there"
    )


def _at(finding: Finding, shape: str) -> Finding:
    return attrs.evolve(finding, notes=(*finding.notes, f"with the problem's own inputs, {shape}"))
