"""One case in the worker: make inputs, ask the reference, run the candidate, judge."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator
from typing import Any

import attrs
import torch

from cudasmith.model import Capture, Case, CaseResult, CaseStatus
from cudasmith.model.expression import evaluate
from cudasmith.stages._verify.executors import Executor
from cudasmith.stages._verify.inputs import changed, copy_args, integer_limit, make_args, overwrite
from cudasmith.stages._verify.judge import Judgement, judge, own_ratio, trivially_passes
from cudasmith.stages._verify.reference import Answer, answer, buffers, run
from cudasmith.stages._verify.subjects import Reference, seed_all
from cudasmith.stages._verify.work import fan_in, work
from cudasmith.stages.cases import MAX_WORK, at_sizes, grown

GROWTH = 8  # how many times dearer than planned a case may become by growing
MESSAGE_CHARS = 2000


@attrs.frozen
class Bench:
    """Everything the cases of one worker share."""

    capture: Capture
    reference: Reference
    candidate: torch.nn.Module
    executor: Executor
    terms: str
    expects_launch: bool
    case_timeout_s: float


def run_case(bench: Bench, case: Case, *, again: bool) -> CaseResult:
    """The result of one case. With `again` the candidate is called twice more: with the same inputs, and
    with other values at the same addresses.

    A crash, an endless loop (SIGALRM) or a dead CUDA context ends the process: the parent attributes it.
    """
    start = time.monotonic()
    try:
        case, args, wanted = prepare(bench, case)
    except Exception as error:  # noqa: BLE001 - the user's model may refuse a shape in any way
        return CaseResult(case, CaseStatus.REFERENCE_FAILED, message=words(error))
    used = _copied(bench, args)
    result = _attempt(bench, case, args, wanted, used)
    if again and result.status in (CaseStatus.PASSED, CaseStatus.NON_DISCRIMINATING):
        result = _again(bench, case, args, wanted, used) or result
    return attrs.evolve(result, seconds=time.monotonic() - start)


def _again(bench: Bench, case: Case, args: list[Any], wanted: Answer, used: list[Any]) -> CaseResult | None:
    """What the later calls show that the first did not: results that depend on what was in memory, or
    that are kept by address. None when they are right too."""
    fine = (CaseStatus.PASSED, CaseStatus.NON_DISCRIMINATING)
    second = _attempt(bench, case, args, wanted, _copied(bench, args))
    if second.status not in fine:
        return attrs.evolve(second, message=f"second call with the same inputs: {second.message}")
    other, other_args, other_wanted = prepare(bench, attrs.evolve(case, seed=case.seed + 1))
    overwrite(used, other_args)
    third = _attempt(bench, other, other_args, other_wanted, used)
    if third.status not in fine:
        return attrs.evolve(third, message=f"new values at the same addresses: {third.message}")
    return None


def _copied(bench: Bench, args: list[Any]) -> list[Any]:
    with bench.executor.fenced():
        return copy_args(args)


def prepare(bench: Bench, case: Case) -> tuple[Case, list[Any], Answer]:
    return prepared(bench.capture, bench.reference, bench.terms, bench.executor.torch_device, case)


def prepared(
    capture: Capture, reference: Reference, terms: str, device: str, case: Case
) -> tuple[Case, list[Any], Answer]:
    """Inputs and answer; sizes grow while the reference refuses them, unless the size is the point."""
    while True:
        try:
            args = _args(capture, reference, device, case)
            return case, args, answer(reference, case, args, _terms(capture, terms, case))
        except Exception:  # raised again unless a larger size may help
            bigger = grown(capture, dict(case.sizes)) if _may_grow(case) else None
            if bigger is None or not work(capture, bigger).within(MAX_WORK, GROWTH):
                raise
            case = at_sizes(capture.inputs, case, bigger)


def _may_grow(case: Case) -> bool:
    return not case.full and min((v for _, v in case.sizes), default=0) > 1


def _args(capture: Capture, reference: Reference, device: str, case: Case) -> list[Any]:
    if case.full and all(i.distribution == "problem" for i in case.inputs):
        seed_all(case.seed)
        with torch.device(device):  # gigabytes are drawn where they are needed
            made = reference.get_inputs()
        return [a.to(device) if isinstance(a, torch.Tensor) else a for a in made]
    limit = integer_limit(case, reference.parameter_shapes())
    return make_args(capture.inputs, case, limit, device)


def _terms(capture: Capture, terms: str, case: Case) -> int:
    """Additions behind one output, told or seen in the graph, plus one for each node (pointwise chains)."""
    graph, sizes = capture.train if case.training else capture.eval, dict(case.sizes)
    return max(1, evaluate(terms, sizes) or 1, fan_in(graph, sizes)) + len(graph.nodes)


def _attempt(bench: Bench, case: Case, args: list[Any], wanted: Answer, used: list[Any]) -> CaseResult:
    """Run the candidate once on `used`, a copy of `args`, and judge what came."""
    count = bench.executor.launches
    before = count() if count else 0
    try:
        with bench.executor.fenced(), limited(bench.case_timeout_s):
            got = run(bench.candidate, bench.reference.state, case, used)
            bench.executor.wait()
    except Exception as error:  # noqa: BLE001 - the candidate may raise anything: it is the result
        status, findings = bench.executor.explain(error)
        return CaseResult(case, status, message=words(error), findings=findings)
    launched = count() - before if count else None
    after = buffers(bench.candidate) if case.training else {}
    judged = judged_call(wanted, args, used, got, after)
    if judged.status is CaseStatus.PASSED:
        judged = _counted(bench, args, wanted, judged, launched)
    return case_result(case, judged, wanted, launched)


def judged_call(
    wanted: Answer, args: list[Any], used: list[Any], got: Any, after: dict[str, torch.Tensor]
) -> Judgement:
    """What forward made of `used`, a copy of `args`: results, buffers, and arguments that it must not write to."""
    if not wanted.mutates and (position := changed(args, used)) is not None:
        return Judgement(CaseStatus.INPUT_MUTATED, message=f"forward wrote to its argument {position}")
    return judge(wanted.target, got, after)


def discriminating(judged: Judgement, wanted: Answer, args: list[Any]) -> Judgement:
    """A pass, unless a trivial result would have passed too."""
    if (name := trivially_passes(wanted.target, args)) is not None:
        return attrs.evolve(judged, status=CaseStatus.NON_DISCRIMINATING, message=f"{name} would pass too")
    return judged


def _counted(
    bench: Bench, args: list[Any], wanted: Answer, judged: Judgement, launched: int | None
) -> Judgement:
    """A pass, unless no kernel ran, or a trivial result would have passed too."""
    empty = any(isinstance(a, torch.Tensor) and a.numel() == 0 for a in args)
    if empty or not wanted.target.elements():  # running statistics are compared even then
        return attrs.evolve(judged, message="no elements: only structure, shape and dtype were compared")
    if bench.expects_launch and launched == 0:
        return Judgement(CaseStatus.NO_LAUNCH, message="the result is right, but no kernel was launched")
    return discriminating(judged, wanted, args)


def case_result(case: Case, judged: Judgement, wanted: Answer, launched: int | None) -> CaseResult:
    """The judgement of one call, as it is reported."""
    worst = judged.difference
    return CaseResult(
        case,
        judged.status,
        error_ratio=worst.ratio,
        max_abs_error=worst.max_abs,
        torch_ratio=own_ratio(wanted.target) if worst.ratio is not None else None,
        output=judged.output,
        worst_index=worst.index,
        got=worst.got,
        expected=worst.expected,
        launches=launched,
        message="; ".join(m for m in (judged.message, wanted.note) if m),
    )


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """SIGALRM, not handled, ends the process after `seconds`: nothing in it can prevent that."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:MESSAGE_CHARS]
