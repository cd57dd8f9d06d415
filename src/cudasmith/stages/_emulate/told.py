"""Told: what the worker saw, as findings at the candidate's own lines."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from cudasmith import emulator
from cudasmith.model import Finding, LaunchCount, Span
from cudasmith.model.candidate import STDIN
from cudasmith.source.filemodel import parse_file
from cudasmith.source.lines import line_span
from cudasmith.stages import emulated_place
from cudasmith.stages._emulate.request import Request
from cudasmith.stages.emulated_watch import Raised, causes

NO_LAUNCH, UNUSED, SWALLOWED, KEPT, RAISED, NOT_BUILT = "EM601", "EM602", "EM603", "EM604", "EM605", "EM606"
NO_BACKWARD = "EM608"
UNWRITTEN, ENDLESS = "EM403", "EM115"  # of the emulator
NOT_EMULATED = "EM901"  # of the emulator
MESSAGE_CHARS = 2000


def counted(launches: Sequence[emulator.Launch]) -> list[LaunchCount]:
    """Launches by kernel and configuration, in order of the first."""
    found: dict[tuple[object, ...], LaunchCount] = {}
    for one in launches:
        key = (one.kernel, one.grid, one.block, one.shared_bytes)
        old = found.get(key)
        count, seconds = (old.count, old.seconds) if old is not None else (0, 0.0)
        found[key] = LaunchCount(
            one.kernel, one.grid, one.block, one.shared_bytes, count + 1, seconds + one.seconds
        )
    return list(found.values())


def no_launch(doing: str) -> Finding:
    return Finding(
        NO_LAUNCH,
        "error",
        f"{doing} launched no kernel",
        help="what it returns was computed by PyTorch, or on the host: call the bound function in forward",
    )


def no_backward() -> Finding:
    return Finding(
        NO_BACKWARD,
        "warning",
        "the file has a backward, but no output of forward requires grad: it is never called",
        help="call the Function with .apply(...), outside torch.no_grad() and without detach()",
    )


def unused(paths: Sequence[str], total: int, kernels: Sequence[str], *, trivial: bool) -> Finding:
    """The outputs at `paths` are the same although no kernel ran. `trivial`: they are zeros anyway."""
    names = ", ".join(path or "the output" for path in paths)
    fact = "the outputs are" if len(paths) == total else f"output {names} is"
    if trivial:
        return Finding(
            UNUSED,
            "warning",
            f"{fact} the same when no kernel runs: all zeros, as fresh memory may be",
            help="give inputs whose result is not zero, so that the kernels can be seen to make it",
        )
    return Finding(
        UNUSED,
        "error" if len(paths) == total else "warning",
        f"{fact} the same when no kernel runs",
        notes=(f"launched: {', '.join(kernels)}",),
        help="what the kernels write is not what is returned: PyTorch, a cache or an input gives the values",
    )


def not_shown(kernels: Sequence[str]) -> Finding:
    return Finding(
        UNUSED,
        "warning",
        "it is not shown that a kernel makes the outputs: they stay the same when any one kernel does not run",
        notes=(f"launched: {', '.join(kernels)}",),
        help="a kernel whose values are multiplied by zero or replaced makes nothing: return what it writes",
    )


def kept() -> Finding:
    return Finding(
        KEPT,
        "error",
        "a second call with the same arguments returned the first call's memory without filling it again",
        help="a result kept by its arguments' addresses is wrong when their values change: compute it in every call",
    )


def swallowed(raised: Raised, request: Request, *, built: bool) -> Finding:
    """`built`: another load_inline gave a module, so that a failed one may be a choice of flags."""
    kind, text = type(raised.error).__name__, str(raised.error)[:MESSAGE_CHARS]
    what = "load_inline" if raised.function == "load_inline" else f"the bound function {raised.function}"
    return Finding(
        SWALLOWED,
        "warning" if built and raised.function == "load_inline" else "error",
        f"{what} raised {kind}, which the candidate caught",
        span=span_at(raised.file, raised.line, request),
        notes=tuple(text.splitlines()[:6]),
        help="let it pass: a result that is made without the kernel hides its failure",
    )


def raised(error: BaseException, doing: str, request: Request) -> Finding:
    """An exception that ended the run, at the candidate's innermost line."""
    kind, text = type(error).__name__, str(error)[:MESSAGE_CHARS]
    first, *more = text.splitlines() or [""]
    return Finding(
        RAISED,
        "error",
        f"{doing} raised {kind}: {first}" if first else f"{doing} raised {kind}",
        span=span_of_error(error, request),
        notes=tuple(more[:8]),
    )


def not_built(
    error: emulator.EmulatorBuildError, request: Request, loaded: Sequence[emulated_place.Loaded]
) -> Finding:
    """A refused source, at its line of the Python file where that is certain."""
    place = emulator.Place(error.source or "", error.line or 0)
    call = loaded[-1] if loaded else None
    span = emulated_place.span_of(place, parse_file(request.candidate), call=call)
    if span is None and call is not None:
        span = span_at(call.file, call.line, request)
    return Finding(NOT_BUILT, "error", str(error).splitlines()[0], span=span)


def span_of_error(error: BaseException, request: Request) -> Span | None:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f.lineno for f in frames if f.lineno and f.filename == _file(request)]
    if isinstance(error, SyntaxError) and error.filename == _file(request) and error.lineno:
        lines = [error.lineno]
    return line_span(request.candidate.text, lines[-1]) if lines else None


def span_at(file: str, line: int, request: Request) -> Span | None:
    """The statement's line, when it is the candidate's."""
    return line_span(request.candidate.text, line) if file == _file(request) and line else None


def fault_of(error: BaseException) -> emulator.EmulatorFault | None:
    """The kernel's fault behind an exception."""
    return next((e for e in causes(error) if isinstance(e, emulator.EmulatorFault)), None)


def build_error_of(error: BaseException) -> emulator.EmulatorBuildError | None:
    return next((e for e in causes(error) if isinstance(e, emulator.EmulatorBuildError)), None)


def _file(request: Request) -> str:
    return request.file or str(Path(request.workdir) / STDIN)
