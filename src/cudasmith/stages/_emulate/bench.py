"""The worker's run of one candidate, from its import to the control."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import torch

from cudasmith import emulator
from cudasmith.emulator.runtime import runtime
from cudasmith.emulator.toolchain import announced
from cudasmith.hostapi.compiler import find_compiler
from cudasmith.model import CaseResult, Finding
from cudasmith.model.jsonio import to_data
from cudasmith.stages import emulated_place
from cudasmith.stages._emulate import gradients, told
from cudasmith.stages._emulate.calls import Called, call, compared
from cudasmith.stages._emulate.control import control
from cudasmith.stages._emulate.inputs import ReferenceFailed, Task, TooLarge, task
from cudasmith.stages._emulate.load import NAME, candidate_model, load_file, named, parts, reference_of
from cudasmith.stages._emulate.request import Request
from cudasmith.stages._verify.execute import limited, words
from cudasmith.stages._verify.executors import builds_reported
from cudasmith.stages._verify.subjects import Reference, State
from cudasmith.stages.emulated_watch import Watch

DOING = {
    "import": "importing the file",
    "construct": "ModelNew's constructor",
    "forward": "forward",
    "backward": "backward",
    "script": "the script",
}
_NOT_THE_CANDIDATES = ("reference", "inputs")


@attrs.define
class Run:
    """One candidate on the emulator, which `all` installs."""

    request: Request
    emit: Callable[[dict[str, Any]], None]
    watch: Watch = attrs.Factory(Watch)
    phase: str = ""
    _told: int = 0

    def all(self) -> dict[str, Any]:
        with announced(lambda what: self.emit({"preparing": what})):
            return self._all()

    def _all(self) -> dict[str, Any]:
        stack = contextlib.ExitStack()
        try:
            stack.enter_context(self._installed())
        except (ImportError, RuntimeError, OSError) as error:
            return _stopped("no_executor", error)
        with stack:
            stack.enter_context(builds_reported(lambda build: self.emit({"build": to_data(build)}), []))
            self.watch = Watch(self._on_call, self._on_return)
            stack.enter_context(self.watch.installed())
            runtime().listen(self._on_launch)
            stack.callback(runtime().listen, None)
            torch.set_num_threads(1)  # tensors are small, and the cores may be busy
            self.emit({"device": f"CPU emulator ({find_compiler()})"})
            return self._guarded(self._script if self.request.form == "script" else self._module)

    def _installed(self, **options: Any) -> contextlib.AbstractContextManager[None]:
        r = self.request
        return emulator.installed(mode=r.mode, order=r.order, seed=r.seed, target=r.target, **options)

    def _guarded(self, steps: Callable[[], None]) -> dict[str, Any]:
        """Whatever the user's code raises is the result."""
        try:
            steps()
        except TooLarge as error:
            return {"end": "too_large", "message": str(error)}
        except ReferenceFailed as error:
            return {"end": "reference", "message": str(error), "line": self._line_in_problem(error)}
        except (Exception, SystemExit) as error:  # noqa: BLE001
            if self.phase in _NOT_THE_CANDIDATES:
                return {**_stopped("reference", error), "line": self._line_in_problem(error)}
            return self._raised(error)
        return {"end": "done"}

    def _module(self) -> None:
        request, workdir = self.request, Path(self.request.workdir)
        with self._doing("import"):
            module = load_file(request, NAME)
        with self._doing("reference"), emulator.without_devices():
            given = parts(request, module, workdir)
            problem = request.problem
            reference = None if problem is None else reference_of(given, problem, visible=True)
        with self._doing("inputs"), emulator.without_devices():
            todo = task(request, given, reference)
        with self._doing("construct"):
            model, note = candidate_model(module, given, reference, request.seed)
        if note and problem is not None:
            self.emit({"note": note})
            with self._doing("reference"), emulator.without_devices():
                reference = reference_of(given, problem, visible=False)
                todo = task(request, given, reference)
        state = named(model) if note or reference is None else reference.state
        self._forward(model, state, todo)
        if request.backward:
            self._backward(model, state, todo, reference)

    def _forward(self, model: torch.nn.Module, state: State, todo: Task) -> None:
        before = len(emulator.launches())
        with self._doing("forward", limit=False):
            called = call(model, state, todo, self.request.timeout_s)
        launched = emulator.launches()[before:]
        if self.request.mode == "checked":
            emulator.check_outputs(leaf.value for leaf in called.tensors())
        found = [*self._findings(), *self._warned()]
        if not launched and any(leaf.value.numel() for leaf in called.tensors()):
            found.append(told.no_launch("forward"))
        with emulator.without_devices(), torch.no_grad():
            comparison = compared(model, todo, called, len(launched))
        self._seen(found, comparison)
        if launched:
            self._control(model, state, todo, called)

    def _backward(
        self, model: torch.nn.Module, state: State, todo: Task, reference: Reference | None
    ) -> None:
        """Every launch of forward with gradients and of backward is checked; the gradients are compared."""
        results: list[CaseResult] = []
        why = "there is no reference: name the file with Model, --reference REF"
        with self._again():
            for kind in gradients.KINDS:
                try:
                    with self._doing("backward"):
                        got = gradients.backward(model, state, todo, kind)
                except gradients.NoGradient:
                    self._differentiated([told.no_backward()], None, "no output of ModelNew requires grad")
                    return
                except NotImplementedError as error:  # of a file that is for inference, and says so
                    self._differentiated([], None, f"backward refuses: {words(error).splitlines()[0][:200]}")
                    return
                if self.request.mode == "checked":
                    emulator.check_outputs(g for g in got.values() if g is not None)
                if reference is not None:
                    with self._doing("gradients"), emulator.without_devices():
                        result, why = self._gradients(model, reference, todo, kind, got)
                        results += [] if result is None else [result]
                # after each pass, so that a fault in the next one does not lose it
                self._differentiated([], gradients.worst(results) if results else None, why)

    def _gradients(
        self, model: torch.nn.Module, reference: Reference, todo: Task, kind: str, got: gradients.Gradients
    ) -> tuple[CaseResult | None, str]:
        """The comparison, or why there is none."""
        try:
            wanted = gradients.wanted(reference, todo, kind, dict(model.named_parameters()))
        except gradients.NoGradient as error:
            return None, f"{error} (the reference)"
        except Exception as error:  # noqa: BLE001 - the user's model need not be differentiable
            return None, f"the reference cannot be differentiated: {words(error).splitlines()[0][:200]}"
        with torch.no_grad():
            return gradients.compared(todo, kind, wanted, got), ""

    @contextlib.contextmanager
    def _again(self) -> Iterator[None]:
        """The emulator as for forward; what was seen before is told already."""
        self.watch.raised.clear()
        with self._installed():
            self._told = 0
            yield

    def _differentiated(self, found: list[Finding], result: CaseResult | None, why: str) -> None:
        self.emit(
            {
                "differentiated": self._state([*self._findings(), *found], None),
                "gradients": to_data(result),
                "why": why,
            }
        )

    def _control(self, model: torch.nn.Module, state: State, todo: Task, called: Called) -> None:
        kernels = list(dict.fromkeys(one.kernel for one in emulator.launches()))
        with self._doing("control", limit=False):
            limit_s = self.request.timeout_s
            ended = control(
                lambda: call(model, state, todo, limit_s, used=called.args), called, kernels, self._installed
            )
        self.emit({"control": ended.text, "more": to_data(ended.findings)})

    def _script(self) -> None:
        with self._doing("script"):
            try:
                load_file(self.request, "__main__")
            except SystemExit as error:
                if error.code not in (None, 0):
                    raise
        found = [*self._findings(), *self._warned()]
        if not emulator.launches():
            found.append(told.no_launch("the script"))
        self._seen(found, None)

    @contextlib.contextmanager
    def _doing(self, phase: str, *, limit: bool = True) -> Iterator[None]:
        """Tells what is being done, and limits its time."""
        self.phase = phase
        self.emit({"phase": phase})
        with limited(self.request.timeout_s) if limit else contextlib.nullcontext():
            yield

    def _seen(self, found: list[Finding], comparison: CaseResult | None) -> None:
        self.emit({"seen": self._state(found, None), "comparison": to_data(comparison)})

    def _state(self, found: list[Finding], error: BaseException | None) -> dict[str, Any]:
        """Everything that was seen so far."""
        caught = self.watch.swallowed(error)
        swallowed = [told.swallowed(r, self.request, built=self.watch.built > 0) for r in caught]
        return {
            "launches": to_data(told.counted(emulator.launches())),
            "findings": to_data(list(dict.fromkeys([*swallowed, *found]))),
            "unchecked": list(emulator.coverage().unchecked) if self.request.mode == "checked" else [],
        }

    def _findings(self) -> list[Finding]:
        """What nobody wrote comes last: often another finding says why, as a missing barrier does."""
        found = emulated_place.findings(emulator.detected(), self.request.candidate, self.watch.loaded)
        raced = any(one.code == "EM203" for one in found)
        last = (told.UNWRITTEN, "EM401") if raced else (told.UNWRITTEN,)
        return sorted(found, key=lambda one: one.code in last)

    def _warned(self) -> list[Finding]:
        return emulated_place.findings(emulator.warned(), self.request.candidate, self.watch.loaded)

    def _raised(self, error: BaseException) -> dict[str, Any]:
        """The exception that ended the run, with what was found before it."""
        build, fault, found = told.build_error_of(error), told.fault_of(error), self._findings()
        found += self._warned()
        end = {"end": "raised", "status": "RAISED", "message": words(error), "log": ""}
        if build is not None:
            found.append(told.not_built(build, self.request, self.watch.loaded))
            end["status"] = "NO_TOOLCHAIN" if build.unsupported else "BUILD_FAILED"
            end["log"] = build.log or str(build)
        elif fault is None:
            found.append(told.raised(error, DOING.get(self.phase, self.phase), self.request))
        elif fault.detected is None:
            found += emulated_place.findings([fault.described], self.request.candidate, self.watch.loaded)
        if fault is not None and fault.finding.code == told.ENDLESS:
            end["status"] = "TIMEOUT"
        if fault is not None and fault.finding.code == told.NOT_EMULATED:
            end["status"] = "NO_TOOLCHAIN"
        return {**end, "seen": self._state(found, error)}

    def _line_in_problem(self, error: BaseException) -> int:
        """The innermost line of the file with the reference, which may run as a module of ours; 0 for none."""
        own = {self.request.file} if self.request.own else set()
        frames = traceback.extract_tb((error.__cause__ or error).__traceback__)
        lines = [
            f.lineno or 0
            for f in frames
            if f.filename in own or Path(f.filename).name == "cudasmith_reference.py"
        ]
        return lines[-1] if lines else 0

    def _on_call(self, function: str, file: str, line: int) -> None:
        place = told.span_at(file, line, self.request)
        self.emit({"call": function, "line": place.line if place else None})

    def _on_launch(self) -> None:
        """Tells of each launch when it has ended, and what was found, so that a later crash does not lose it."""
        if self.phase != "control":
            self.emit({"launched": to_data(told.counted(emulator.launches()[-1:]))})
            self._tell_found()

    def _on_return(self) -> None:
        self.emit({"returned": True})
        self._tell_found()

    def _tell_found(self) -> None:
        if self.phase != "control" and (count := len(runtime().found())) != self._told:
            self._told = count
            self.emit({"findings": to_data(self._findings())})


def _stopped(end: str, error: BaseException) -> dict[str, Any]:
    return {
        "end": end,
        "message": words(error),
        "log": "".join(traceback.format_exception(error)),
    }
