"""Stage verify: is the candidate equal to the reference? All user code runs in a worker.

A case counts when the candidate passed it and no trivial result would have; the verdict is PASSED only
when at least one case counts and none failed. An empty case is compared by shape and dtype and does not
count. A case that kills the worker is CRASHED or TIMEOUT; the others go on in a fresh worker.
"""

from __future__ import annotations

from collections.abc import Callable

from cudasmith.gpu.device import query
from cudasmith.gpu.runner import environment
from cudasmith.model import Build, Candidate, Capture, Case, CaseResult, Problem, Verdict
from cudasmith.stages._verify.entry import Request
from cudasmith.stages._verify.session import Event, Session
from cudasmith.stages.cases import cases
from cudasmith.store import temporary_folder

CASE_TIMEOUT_S = {"emulator": 30.0, "gpu": 120.0}


def verify(
    problem: Problem,
    candidate: Candidate,
    capture: Capture,
    *,
    terms: str,
    executor: str = "emulator",
    full: bool = False,
    expects_launch: bool = True,
    timeout_s: float = 600,
    case_timeout_s: float | None = None,
    memory_bytes: int = 4 << 30,
    build_dir: str | None = None,
    builder: str = "fast",
    chosen: tuple[Case, ...] | None = None,
    on_case: Callable[[CaseResult], None] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> tuple[Build, Verdict]:
    """The build and the verdict of one candidate on one executor. Never hangs.

    `terms`: additions behind one output element, an expression over the free sizes (see tolerance.py).
    `expects_launch`: a case in which no kernel runs is NO_LAUNCH. `chosen` replaces the usual cases.
    `builder`: on a GPU, "fast" or "torch" (its own load_inline, a minute). `build_dir`: where torch keeps builds on a GPU, to share them between runs; private to this run when None.
    Safe only where extension names contain a hash of their source, as those of emitted files do.
    Units: `timeout_s` for everything, `case_timeout_s` for one call of the candidate, builds apart;
    `memory_bytes` of the worker and its children, 0 for no limit.
    Raises: ProblemError CSP040 when the reference itself cannot be run.
    """
    todo = cases(capture, full=full, seed=problem.seed) if chosen is None else chosen
    limit = case_timeout_s or CASE_TIMEOUT_S[executor]
    with temporary_folder("verify") as workdir:
        request = Request(
            problem,
            candidate.text,
            capture,
            todo,
            (),
            terms,
            executor,
            expects_launch,
            limit,
            str(workdir),
            builder,
        )
        env = environment(query(), workdir) if executor == "gpu" else {}
        if executor == "gpu" and build_dir is not None:
            env["TORCH_EXTENSIONS_DIR"] = build_dir
        session = Session(request, env, timeout_s, memory_bytes, on_case, on_event)
        session.run()
    return session.build(candidate.sha256), session.verdict(candidate.sha256)
