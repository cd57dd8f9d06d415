"""Entry function of the capture worker. torch loads with this module, in the child, before the time runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cudasmith.model import Problem, ProblemError
from cudasmith.model.jsonio import loads, to_data
from cudasmith.stages._tracing.tracer import capture_here


def trace(request: bytes, emit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """{"capture": ...} or {"problem": fields of a ProblemError}, as JSON data."""
    problem = loads(request, Problem)
    try:
        return {"capture": to_data(capture_here(problem, lambda phase: emit({"phase": phase})))}
    except ProblemError as error:
        return {
            "problem": {
                "code": error.code,
                "message": error.message,
                "where": error.where,
                "help": error.help,
                "exit_code": error.exit_code,
            }
        }
