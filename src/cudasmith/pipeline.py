"""The one place that knows the order of the stages: read, capture, plan, emit, check, build, verify."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from cudasmith.model import (
    Build,
    BuildStatus,
    Candidate,
    Capture,
    CaseResult,
    CudasmithError,
    Plan,
    Problem,
    Report,
    StageTime,
    Tier,
    Verdict,
)

if TYPE_CHECKING:
    from cudasmith.stages.build import BuildReport

T = TypeVar("T")
Progress = Callable[[str, str], None]


@attrs.frozen
class Options:
    """How to port. `executor`: "auto" takes a usable GPU, else the emulator; "none" skips the verdict."""

    tier: Tier = "fast"
    strict: bool = False
    executor: str = "auto"
    full: bool = True  # on a GPU, verify at the problem's own sizes too
    arch: str = "sm_90"
    builder: str = "fast"  # on a GPU: "torch" has its own load_inline build the file
    timeout_s: float = 120.0  # for one run of the user's code
    memory_bytes: int = 8 << 30  # of one worker and its children


class _Clock:
    """Seconds per stage, told to `progress` as they pass."""

    def __init__(self, progress: Progress) -> None:
        self.times: list[StageTime] = []
        self.progress = progress

    @contextmanager
    def stage(self, name: str, what: str = "") -> Iterator[None]:
        self.progress(name, what)
        start = time.monotonic()
        try:
            yield
        finally:
            self.times.append(StageTime(name, time.monotonic() - start))


def port_problem(problem: Problem, options: Options, progress: Progress = lambda stage, what: None) -> Report:
    """Port one problem and prove it.

    Raises: CudasmithError for everything that is the user's to mend. A failed verdict is a value.
    """
    from cudasmith.stages._verify.session import ENTRY as VERIFY
    from cudasmith.stages.capture import ENTRY as CAPTURE
    from cudasmith.stages.capture import capture
    from cudasmith.stages.emit import emit
    from cudasmith.stages.plan import plan
    from cudasmith.workers import prepare_workers

    clock = _Clock(progress)
    options = attrs.evolve(options, executor=_executor(options))  # refuses before any work is done
    prepare_workers(CAPTURE, VERIFY)
    with clock.stage("capture", problem.path):
        captured = capture(problem, timeout_s=options.timeout_s)
    with clock.stage("plan", f"{len(captured.eval.nodes)} nodes"):
        planned = plan(captured, options.tier)
    _refuse_leftovers(planned, options)
    with clock.stage("emit"):
        candidate = emit(problem, captured, planned)
    return _prove(problem, captured, planned, candidate, options, clock)


def _refuse_leftovers(planned: Plan, options: Options) -> None:
    left = planned.left_to_torch()
    if options.strict and left:
        first = left[0]
        assert first.node is not None
        where = f"{first.node.source.file}:{first.node.source.line}" if first.node.source else None
        raise CudasmithError(
            "CSP060",
            f"{len(left)} operator(s) have no kernel: {', '.join(sorted({s.node.target for s in left if s.node}))}",
            where=where,
            help="without --strict they stay PyTorch calls, named in the report",
            exit_code=1,
        )


def _prove(
    problem: Problem, captured: Capture, planned: Plan, candidate: Candidate, options: Options, clock: _Clock
) -> Report:
    from cudasmith.stages.check import check

    with clock.stage("check"):
        checked = check(candidate, mode="strict" if options.strict else "default")
    builds: list[Build] = []
    verdicts: list[Verdict] = []
    with ThreadPoolExecutor(1) as beside:  # nvcc and the emulator's g++ keep one core busy each
        compiling = beside.submit(_compile, candidate, planned, options)
        with _ended_with_us(compiling):
            # Torch's own build on a GPU takes a minute: not for a file that cannot compile.
            if options.executor == "emulator" or (
                options.executor == "gpu" and _sound(compiling.result().builds)
            ):
                with clock.stage("verify", options.executor):
                    build, verdict = _verify(problem, captured, planned, candidate, options, clock.progress)
                builds.append(build)
                verdicts.append(verdict)
            with clock.stage("compile", options.arch):  # what was not done while verify ran
                compiled = compiling.result()
    return Report(
        problem_path=problem.path,
        candidate=candidate,
        capture=captured,
        plan=planned,
        findings=(*checked.findings, *compiled.findings, *(f for v in verdicts for f in v.findings)),
        builds=(*compiled.builds, *builds),
        verdicts=tuple(verdicts),
        times=tuple(clock.times),
        strict=options.strict,
    )


@contextmanager
def _ended_with_us(other: Future[BuildReport]) -> Iterator[None]:
    """What interrupts the body ends the other thread's compilers too; its pool would wait for them."""
    from cudasmith.stages._build.crew import end

    try:
        yield
    except BaseException:
        end([other])
        raise


def _compile(candidate: Candidate, planned: Plan, options: Options) -> BuildReport:
    """The real compiler's word on the file, where there is an nvcc and a kernel."""
    from cudasmith.gpu.toolchain import find_nvcc
    from cudasmith.stages.build import BuildOptions, BuildReport, build

    if find_nvcc() is None or not any(step.kernel for step in planned.steps()):
        return BuildReport(candidate, (), ())
    return build(candidate, BuildOptions((options.arch,), fall_back=False))


def _sound(builds: tuple[Build, ...]) -> bool:
    return all(b.status in (BuildStatus.OK, BuildStatus.NO_TOOLCHAIN) for b in builds)


def _executor(options: Options) -> str:
    """Where to verify; asked before any work is done.

    Raises: CudasmithError (exit code 4) when the GPU asked for, or a compiler for the emulator, is missing.
    """
    from cudasmith.gpu.device import query
    from cudasmith.hostapi.compiler import find_compiler

    device = query()
    chosen = ("gpu" if device.usable else "emulator") if options.executor == "auto" else options.executor
    if chosen == "gpu" and not device.usable:
        raise CudasmithError(
            "CSP061",
            f"there is no usable GPU: {device.reason}",
            help="verify on the CPU with --executor emulator",
            exit_code=4,
        )
    if chosen == "emulator":
        find_compiler()
    return chosen


def _verify(
    problem: Problem,
    captured: Capture,
    planned: Plan,
    candidate: Candidate,
    options: Options,
    progress: Progress,
) -> tuple[Build, Verdict]:
    from cudasmith.stages.verify import verify

    def on_case(result: CaseResult) -> None:
        progress("verify", f"{result.case.name}: {result.status.value}")

    def on_event(event: dict[str, Any]) -> None:
        if "preparing" in event:
            progress("verify", event["preparing"])

    return verify(
        problem,
        candidate,
        captured,
        terms=terms(planned),
        executor=options.executor,
        builder=options.builder,
        full=options.full and options.executor == "gpu",
        memory_bytes=options.memory_bytes if options.executor == "emulator" else 0,
        on_case=on_case,
        on_event=on_event,
        expects_launch=any(s.kernel for s in planned.steps()),
    )


def terms(planned: Plan) -> str:
    """Additions behind one output element, over all steps in sequence: an expression over free sizes."""
    parts = [s.terms for s in planned.eval.steps if s.kind != "size"]
    return " + ".join(f"({p})" for p in parts) if parts else "1"
