"""A session: workers one after the other until each case has a result, and what they said."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from cudasmith.model import (
    Build,
    BuildStatus,
    CaseResult,
    CaseStatus,
    Finding,
    ProblemError,
    Verdict,
    VerdictStatus,
)
from cudasmith.model.jsonio import dumps, from_data
from cudasmith.stages._verify.conclude import conclusion, death, no_build
from cudasmith.stages._verify.entry import Request
from cudasmith.stages._verify.rule import RULE
from cudasmith.workers import WorkerResult, WorkerStatus, run_worker

ENTRY = "cudasmith.stages._verify.entry:verify_here"
MAX_RESTARTS = 3
NO_LIMIT = 1 << 62
Event = dict[str, Any]


@attrs.define
class Session:
    """One verification in progress. `run` returns when every case is settled or nothing more can be."""

    request: Request
    env: Mapping[str, str]
    timeout_s: float
    memory_bytes: int
    on_case: Callable[[CaseResult], None] | None = None
    on_event: Callable[[Event], None] | None = None
    results: dict[int, CaseResult] = attrs.Factory(dict)
    builds: list[Event] = attrs.Factory(list)
    device: str = ""
    tool: str = ""
    phase: str = ""
    current: int | None = None
    stopped: Event | None = None
    seconds: float = 0.0
    control: str = ""
    findings: tuple[Finding, ...] = ()

    def run(self) -> None:
        start = time.monotonic()
        for _ in range(1 + MAX_RESTARTS):
            left = self.timeout_s - (time.monotonic() - start)
            if left <= 0 or self.stopped or len(self.results) == len(self.request.cases):
                break
            self._one_worker(left)
        self.seconds = time.monotonic() - start

    def _one_worker(self, timeout_s: float) -> None:
        self.current, self.phase = None, ""
        request = attrs.evolve(self.request, skip=tuple(sorted(self.results)))
        result = run_worker(
            ENTRY,
            dumps(request).encode(),
            timeout_s=timeout_s,
            memory_bytes=self.memory_bytes or NO_LIMIT,
            on_event=self._heard,
            env=self.env,
        )
        if result.status is WorkerStatus.OK:
            if result.value["end"] not in ("done", "again"):
                self.stopped = result.value
        elif result.status is WorkerStatus.ERROR:
            raise result.failure("verify")
        else:
            self._died(result)
        if self.stopped and self.stopped["end"] == "reference":
            raise ProblemError("CSP040", self.stopped["message"], where=self.request.problem.path)

    def _heard(self, event: Event) -> None:
        if "device" in event:
            self.device, self.tool = event["device"], event["tool"]
        elif "phase" in event:
            self.phase = event["phase"]
        elif "build" in event:
            self.builds.append(event["build"])
        elif "control" in event:
            self.control = event["control"]
            self.findings = tuple(from_data(one, Finding) for one in event["findings"])
        elif "case" in event:
            self.current = event["case"]
        elif "done" in event:
            self._settle(event["done"], from_data(event["result"], CaseResult))
        if self.on_event:
            self.on_event(event)

    def _settle(self, index: int, result: CaseResult) -> None:
        self.results[index] = result
        self.current = None
        if self.on_case:
            self.on_case(result)

    def _died(self, result: WorkerResult) -> None:
        status, message = death(result, self.memory_bytes, self.request.case_timeout_s)
        if self.phase == "control":
            self.control = f"not finished: {message}"
        elif self.current is None:
            end = self.phase or "no_executor"
            self.stopped = {"end": end, "message": message, "status": status.value, "log": result.stderr}
        else:
            case = self.request.cases[self.current]
            self._settle(self.current, CaseResult(case, status, message=message))

    def build(self, sha256: str) -> Build:
        """OK unless a load_inline call failed, or the file could not be imported."""
        seconds = sum(b["seconds"] for b in self.builds)
        failed = [b for b in self.builds if b["status"] != BuildStatus.OK.value]
        status, log = BuildStatus.OK, ""
        if failed:
            status, log = BuildStatus(failed[0]["status"]), failed[0]["log"]
        elif self.stopped and self.stopped["end"] in ("no_executor", "import"):
            status, log = no_build(self.stopped), self.stopped.get("log") or self.stopped["message"]
        route = "; ".join(dict.fromkeys(b["route"] for b in self.builds if b["route"]))
        return Build(sha256, self.request.executor, status, seconds, log, tool=self.tool, route=route)

    def verdict(self, sha256: str) -> Verdict:
        listed = tuple(
            self.results.get(i) or CaseResult(case, CaseStatus.NOT_RUN)
            for i, case in enumerate(self.request.cases)
        )
        build = self.build(sha256)
        status, reason = conclusion(listed, build, self.stopped)
        if status is VerdictStatus.PASSED and any(f.severity == "error" for f in self.findings):
            status, reason = VerdictStatus.FAILED, f"control: {self.control}"
        return Verdict(
            sha256,
            self.request.executor,
            self.device,
            status,
            listed,
            RULE,
            reason,
            self.seconds,
            build.seconds,
            self.control,
            self.findings,
        )
