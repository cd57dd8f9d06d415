"""The worker's look at the problem's own sizes: a sample of each launch's blocks, on tensors whose memory nobody touches.

What a launch or an index does wrong at these sizes only is shown so. Values are not: nobody made the inputs' or computed
the outputs'.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from cudasmith import emulator
from cudasmith.model import Case
from cudasmith.model.jsonio import to_data
from cudasmith.stages._emulate.bench import Run
from cudasmith.stages._emulate.load import NAME, candidate_model, load_file, named, parts, reference_of
from cudasmith.stages._emulate.request import Request
from cudasmith.stages._verify.reference import run

BLOCKS = 24
# What addresses, launches and index arithmetic show. The rest needs all blocks, or values.
SHOWN = frozenset({"EM101", "EM105", "EM106", "EM107", "EM301", "EM302", "EM501"})


class FullShape(Run):
    """One forward of `request.cases[0]`, sampled; nothing is compared."""

    def _installed(self, **options: Any) -> contextlib.AbstractContextManager[None]:
        return super()._installed(sampled_blocks=BLOCKS, **options)

    def _module(self) -> None:
        request, case = self.request, self.request.cases[0]
        with self._doing("import"):
            module = load_file(request, NAME)
        with self._doing("reference"), emulator.without_devices():
            given = parts(request, module, Path(request.workdir))
            assert request.problem is not None
            reference = reference_of(given, request.problem, visible=True)
        with self._doing("construct"):
            model, note = candidate_model(module, given, reference, request.seed)
        state = named(model) if note else reference.state
        args = _arguments(request, case)
        with self._doing("forward"):
            run(model, state, case, args)
        self.emit({"looked": to_data([f for f in self._findings() if f.code in SHOWN])})

    def _raised(self, error: BaseException) -> dict[str, Any]:
        end = super()._raised(error)
        shown = [f for f in end["seen"]["findings"] if f["code"] in SHOWN]
        return {**end, "shown": shown}


def _arguments(request: Request, case: Case) -> list[Any]:
    """Tensors of the case's shapes. Fresh memory of this size is zero pages of the system until somebody writes to it."""
    assert request.capture is not None
    made = iter(case.inputs)
    args: list[Any] = []
    for spec in request.capture.inputs:
        if spec.value is None:
            args.append(spec.literal)
            continue
        one = next(made)
        args.append(emulator.put_on_device(torch.empty(one.shape, dtype=getattr(torch, one.dtype))))
    return args


def look_here(data: bytes, emit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """As `emulate_here`; the event `looked` has the findings, or the end has them as `shown`."""
    from cudasmith.model.jsonio import loads

    return FullShape(loads(data, Request), emit).all()
