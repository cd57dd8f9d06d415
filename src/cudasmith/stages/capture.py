"""Stage capture: run the user's code once, in a worker, under fake tensors; the Graph comes back."""

from __future__ import annotations

from cudasmith.model import Capture, Problem, ProblemError
from cudasmith.model.jsonio import dumps, from_data
from cudasmith.workers import WorkerResult, WorkerStatus, run_worker

ENTRY = "cudasmith.stages._tracing.entry:trace"
DOING = {
    "import": "importing the file",
    "build": "building Model and its inputs",
    "train": "tracing forward in train mode",
    "eval": "tracing forward in eval mode",
}
STARTING = "starting"  # before the first event: Python and torch load


def capture(problem: Problem, *, timeout_s: float = 120, memory_bytes: int = 2 << 30) -> Capture:
    """The graphs of forward in train and eval mode, with shapes; no tensor data is allocated if possible.

    User code runs in a child process only. What cannot be captured says why, at the user's line.

    Raises: ProblemError CSP020 to CSP039.
    """
    request = dumps(problem).encode()
    result = run_worker(ENTRY, request, timeout_s=timeout_s, memory_bytes=memory_bytes)
    if result.status is not WorkerStatus.OK:
        raise _died(problem, result, timeout_s, memory_bytes)
    if "problem" in result.value:
        raise ProblemError(**result.value["problem"])
    return from_data(result.value["capture"], Capture)


def _died(problem: Problem, result: WorkerResult, timeout_s: float, memory_bytes: int) -> ProblemError:
    doing = DOING.get((result.last_event or {}).get("phase", ""), STARTING)
    where = _where(problem, result)
    if result.status is WorkerStatus.TIMEOUT:
        return _late(problem, result, timeout_s, doing)
    if result.status is WorkerStatus.MEMORY:
        help_text = (
            "make weights and inputs with torch (torch.rand, nn.Linear): such tensors are not allocated"
        )
        return ProblemError(
            "CSP031",
            f"more than {memory_bytes / (1 << 30):.1f} GB of memory used while {doing}",
            where=where,
            help=help_text if doing != STARTING else "torch alone needs about 0.4 GB",
        )
    if result.status is WorkerStatus.CRASHED:
        return ProblemError(
            "CSP032",
            f"the process died while {doing}: {result.death}",
            where=where,
            help="does PyTorch load at all? Try: python -X faulthandler -c 'import torch'"
            if doing == STARTING
            else "no Python error ended it, but native code, a signal or os._exit: run that line by itself, "
            "with python -X faulthandler",
        )
    raise result.failure("capture")


def _late(problem: Problem, result: WorkerResult, timeout_s: float, doing: str) -> ProblemError:
    """CSP030. The user's code is suspected only when it was running."""
    more = f"--timeout {max(60.0, 2 * timeout_s):g}"
    if not result.entered:
        return ProblemError(
            "CSP030",
            f"start-up (importing torch) took more than {result.seconds:.0f} s: your code had not begun",
            where=problem.path,
            help="a busy machine, or torch read from a cold disk: try again; does python -c 'import torch' end?",
        )
    own = any(frame.file == problem.path for frame in result.stack)
    return ProblemError(
        "CSP030",
        f"not done after {timeout_s:g} s while {doing}",
        where=_where(problem, result),
        help=("an endless loop? If it is only slow, " if own else "") + f"give more time, for example {more}",
    )


def _where(problem: Problem, result: WorkerResult) -> str:
    lines = [frame.line for frame in result.stack if frame.file == problem.path]
    return f"{problem.path}:{lines[-1]}" if lines else problem.path
