"""The parent's side: what the worker said, and how it ended, as one Emulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from cudasmith.model import (
    CaseResult,
    CudasmithError,
    Emulation,
    Finding,
    LaunchCount,
    ProblemError,
    RunStatus,
)
from cudasmith.model.jsonio import from_data
from cudasmith.source.lines import line_span
from cudasmith.stages._emulate.request import Request
from cudasmith.stages._verify.conclude import ALARM
from cudasmith.stages.diagnose import UNKNOWN, diagnose
from cudasmith.workers import WorkerResult, WorkerStatus

Event = dict[str, Any]
CONTROL_LOST = "not finished: the run without kernels {}"
GRADIENTS_LOST = "not finished: differentiating the reference {}"
NOT_BUILT = "EM606"
CRASHED = "EM607"
_SAID = {
    "import": "importing the file, building its kernels",
    "reference": "running the reference",
    "inputs": "running the reference",
    "construct": "constructing ModelNew",
    "forward": "running forward",
    "control": "running it once more without kernels",
    "backward": "running backward",
    "gradients": "differentiating the reference",
    "script": "running the script, building its kernels",
}


@attrs.define
class Session:
    """What one worker says. `emulation` is asked for after its end."""

    request: Request
    memory_bytes: int
    say: Callable[[str], None]
    device: str = ""
    phase: str = ""
    call: str = ""  # the bound function that is running
    line: int | None = None  # where it was called
    found: list[Finding] = attrs.Factory(list)
    notes: list[str] = attrs.Factory(list)
    launched: list[LaunchCount] = attrs.Factory(list)  # so far
    seen: Event | None = None
    comparison: CaseResult | None = None
    control: str = ""
    controlled: list[Finding] = attrs.Factory(list)
    differentiated: Event | None = None
    gradients: CaseResult | None = None
    no_gradients: str = ""

    def heard(self, event: Event) -> None:
        if "device" in event:
            self.device = event["device"]
        elif "phase" in event:
            self.phase, self.call = event["phase"], ""
            self.say(_SAID[self.phase])
        elif "preparing" in event:
            self.say(event["preparing"])
        elif "call" in event:
            self.call, self.line = event["call"], event["line"]
        elif "returned" in event:
            self.call = ""
        elif "launched" in event:
            self.launched = _merged(
                [*self.launched, *(from_data(one, LaunchCount) for one in event["launched"])]
            )
        elif "findings" in event:
            self.found = _findings(event["findings"])
        elif "note" in event:
            self.notes.append(event["note"])
        elif "seen" in event:
            self.seen = event["seen"]
            data = event["comparison"]
            self.comparison = None if data is None else from_data(data, CaseResult)
        elif "control" in event:
            self.control = event["control"]
            self.controlled, self.found = _findings(event["more"]), []
        elif "differentiated" in event:
            self.differentiated, self.no_gradients, self.found = event["differentiated"], event["why"], []
            data = event["gradients"]
            self.gradients = None if data is None else from_data(data, CaseResult)

    def emulation(self, result: WorkerResult, notes: tuple[str, ...]) -> Emulation:
        """Raises: CudasmithError where the candidate was not run, or the reference cannot be."""
        status, message, findings = RunStatus.ENDED, "", self.found
        states = [one for one in (self.seen, self.differentiated) if one is not None]
        if result.status is not WorkerStatus.OK:
            status, message, findings = self._died(result)
        elif result.value["end"] != "done":
            self._refuse(result.value["end"], result.value)
            status, message = RunStatus(result.value["status"]), result.value["message"]
            ended = result.value["seen"]
            findings = self._explained(result.value["log"], _findings(ended["findings"]))
            states = [*states[:1], {**ended, "findings": []}]  # it repeats what a pass of backward showed
        before = [one for state in states for one in _findings(state["findings"])]
        findings = [*before, *self.controlled, *findings]
        launches = self._launches(states, died=result.status is not WorkerStatus.OK)
        unchecked = dict.fromkeys(text for state in states for text in state["unchecked"])
        r = self.request
        return Emulation(
            r.candidate.path,
            r.candidate.sha256,
            r.mode,
            r.order,
            r.seed,
            r.target,
            self.device,
            status,
            message,
            r.form,
            launches=launches,
            comparison=self.comparison,
            not_compared="" if self.comparison is not None else self._why_not_compared(status),
            gradients=self.gradients,
            not_differentiated=self._why_no_gradients(status),
            control=self.control or self._why_no_control(status),
            findings=tuple(dict.fromkeys(findings)),
            unchecked=tuple(unchecked),
            notes=(*notes, *self.notes),
            stdout=result.stdout,
            stderr=result.stderr,
        )

    def _refuse(self, end: str, value: Event) -> None:
        """Raises: CudasmithError unless it was the candidate that ended the run."""
        if end == "no_executor":
            raise CudasmithError(
                "CSE005",
                f"the emulator cannot run here: {value['message']}",
                exit_code=4,
                help="cudasmith doctor",
            )
        if end == "too_large":
            where = self.request.problem.path if self.request.problem else self.request.candidate.path
            raise CudasmithError(
                "CSE003",
                f"the inputs are too large for a CPU: {value['message']}",
                where=where,
                help="make get_inputs smaller, or take the time with --no-shrink",
            )
        if end == "reference":
            where = self.request.problem.path if self.request.problem else self.request.candidate.path
            if line := value.get("line"):
                where = f"{where}:{line}"
            raise ProblemError("CSP040", value["message"], where=where)

    def _explained(self, log: str, findings: list[Finding]) -> list[Finding]:
        """A build's failure in the words of the diagnosis that knows it."""
        known = [f for f in diagnose(log, self.request.candidate) if f.code != UNKNOWN] if log else []
        own = next((f for f in findings if f.code == NOT_BUILT), None)
        if not known or own is None:
            return findings
        told = [attrs.evolve(f, span=f.span or own.span) for f in known]
        return [*(f for f in findings if f.code != NOT_BUILT), *told]

    def _died(self, result: WorkerResult) -> tuple[RunStatus, str, list[Finding]]:
        status, how = self._death(result)
        if self.phase == "control":  # nothing else is lost
            self.control = CONTROL_LOST.format(how)
            return RunStatus.ENDED, "", self.found
        if self.phase == "gradients":
            self.no_gradients = GRADIENTS_LOST.format(how)
            return RunStatus.ENDED, "", self.found
        if self.phase in ("", "reference", "inputs"):
            raise ProblemError(
                "CSP040",
                f"the process ended while {_SAID.get(self.phase, 'starting the emulator')}: {how}",
                where=self.request.problem.path if self.request.problem else None,
            )
        place = f"in the bound function {self.call}" if self.call else f"while {_SAID[self.phase]}"
        line = self.line if self.call else self._line_of(result)
        span = line_span(self.request.candidate.text, line) if line else None
        finding = Finding(CRASHED, "error", f"{how} {place}", span=span, help=_HELP.get(status))
        return status, finding.message, [*self.found, finding]

    def _death(self, result: WorkerResult) -> tuple[RunStatus, str]:
        limit = f"{self.request.timeout_s:g} s"
        if result.status is WorkerStatus.MEMORY:
            return RunStatus.MEMORY, f"more than {self.memory_bytes / (1 << 30):.1f} GB of memory used"
        if result.status is WorkerStatus.TIMEOUT:
            return RunStatus.TIMEOUT, "not done in the time for builds and runs together"
        if result.signal == ALARM:
            return RunStatus.TIMEOUT, f"not done after {limit}"
        return RunStatus.CRASHED, result.death

    def _line_of(self, result: WorkerResult) -> int | None:
        """The candidate's innermost line when it died, where faulthandler could tell."""
        lines = [
            frame.line for frame in result.stack if self.request.file and frame.file == self.request.file
        ]
        return lines[-1] if lines else None

    def _launches(self, states: list[Event], *, died: bool) -> tuple[LaunchCount, ...]:
        """Of a process that died, those that were told one by one."""
        told = [from_data(one, LaunchCount) for state in states for one in state["launches"]]
        return tuple(self.launched if died or not states else _merged(told))

    def _why_no_gradients(self, status: RunStatus) -> str:
        if not self.request.backward or self.request.form == "script":
            return ""
        if status is not RunStatus.ENDED:
            return f"the run did not end ({status.value})"
        if self.no_gradients or self.differentiated is not None:
            return self.no_gradients
        return "not made: the process ended before"  # by the control's death

    def _why_not_compared(self, status: RunStatus) -> str:
        if self.request.form == "script":
            return "a script returns nothing to compare"
        if self.request.problem is None:
            return "there is no reference: name the file with Model, --reference REF"
        return f"the run did not end ({status.value})"

    def _why_no_control(self, status: RunStatus) -> str:
        if self.request.form == "script":
            return "not made: a script returns nothing"
        return (
            "not made: the run did not end"
            if status is not RunStatus.ENDED
            else "not made: no kernel was launched"
        )


_HELP = {
    RunStatus.CRASHED: "C++ code of the host did that, or of torch: a bad pointer or a deep recursion; kernels are guarded",
    RunStatus.TIMEOUT: "a loop that does not end, or a thread that waits for a block that runs after its own? Give more "
    "time with --timeout, or try --order reverse",
    RunStatus.MEMORY: "look for an allocation of the host whose size is wrong",
}


def _findings(data: list[Any]) -> list[Finding]:
    return [from_data(one, Finding) for one in data]


def _merged(launches: list[LaunchCount]) -> list[LaunchCount]:
    """Launches of the same kernel and configuration as one."""
    found: dict[tuple[object, ...], LaunchCount] = {}
    for one in launches:
        key = (one.kernel, one.grid, one.block, one.shared_bytes)
        old = found.get(key)
        found[key] = (
            one
            if old is None
            else attrs.evolve(one, count=old.count + one.count, seconds=old.seconds + one.seconds)
        )
    return list(found.values())
