"""Entry function of the emulate worker: run the candidate once and look, then once more with no kernel at work.

Everything goes out as events, so that what was seen before a crash is not lost:
device, tool; phase; build (as of verify); call (of a bound function, before it begins); findings (all so far);
note; seen (of the run that ended); control.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Emit = Callable[[dict[str, Any]], None]


def emulate_here(data: bytes, emit: Emit) -> dict[str, Any]:
    """{"end": "done"}, or what stopped it: "no_executor", "too_large", "reference", "raised", with "message"."""
    from cudasmith.model.jsonio import loads  # torch loads below, in the child
    from cudasmith.stages._emulate.bench import Run
    from cudasmith.stages._emulate.request import Request

    return Run(loads(data, Request), emit).all()
