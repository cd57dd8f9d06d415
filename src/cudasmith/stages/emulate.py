"""Stage emulate: a candidate in, an Emulation out. Its kernels run once on the CPU, in a worker, and are looked at.

What the candidate does to its process (crash, endless loop, too much memory) is a status with all that was seen before.
"""

from __future__ import annotations

import ast
import difflib
import re
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.model import (
    Candidate,
    Capture,
    Case,
    CudasmithError,
    Emulation,
    Finding,
    InputCase,
    Problem,
    ProblemError,
    RunStatus,
)
from cudasmith.model.emulation import base_name
from cudasmith.model.jsonio import dumps
from cudasmith.source.filemodel import FileModel, readable
from cudasmith.source.needed import only_needed
from cudasmith.source.scopes import binds
from cudasmith.stages._emulate.look import looked
from cudasmith.stages._emulate.request import Form, Mode, Order, Request
from cudasmith.stages._emulate.session import Session
from cudasmith.stages._verify.work import work
from cudasmith.stages.capture import capture
from cudasmith.stages.cases import LEEWAY, MAX_WORK, at_sizes, fitted_sizes
from cudasmith.stages.read import from_source
from cudasmith.store import temporary_folder
from cudasmith.workers import WorkerStatus, prepare_workers, run_worker

ENTRY = "cudasmith.stages._emulate.entry:emulate_here"
BUILD_S = 900.0  # for all builds: the emulator's own take a minute, once
TRACE_S = 60.0  # for tracing the reference, which takes a second on a machine that is not busy
PHASES = 10  # parts of a run that each may take the time limit, the reference's included
Say = Callable[[str], None]


@attrs.frozen
class EmulateOptions:
    """How to run. `kernel`: tell of this one only. `shrink`: inputs that are too large for a CPU are made smaller.
    `backward`: a backward that the file defines is run too.

    Units: `timeout_s` for each of import, constructor, forward, backward and control, builds apart; `memory_bytes` of the worker.
    """

    mode: Mode = "checked"
    order: Order = "forward"
    seed: int = 0
    target: str = "h200"
    kernel: str | None = None
    shrink: bool = True
    backward: bool = True
    timeout_s: float = 120.0
    memory_bytes: int = 4 << 30


def emulate(
    candidate: Candidate,
    reference: Candidate | None,
    options: EmulateOptions,
    say: Say = lambda text: None,
) -> Emulation:
    """Run the candidate's kernels on the CPU and say what was seen. Never hangs.

    `reference`: the file with Model; without it the candidate's own Model, if it has one. A candidate without ModelNew is
    run as a script.
    Raises: CudasmithError CSE001 to CSE006 and CSP... for what cannot be run at all, CSP040 for a reference that fails.
    """
    start = time.monotonic()
    find_compiler()  # says what is missing before any work
    form, names = _form(candidate, reference)
    prepare_workers(ENTRY)
    problem = None if form == "script" else _problem(candidate, reference, names)
    captured = None if problem is None else _captured(problem, say)
    cases, notes = _cases(captured, options, problem)
    if reference is not None and problem is not None and not _binds(reference, "get_inputs"):
        notes = (f"{reference.path} has no get_inputs: the inputs are those of {candidate.path}", *notes)
    with temporary_folder("emulate") as workdir:
        request = Request(
            candidate,
            str(Path(candidate.path).resolve()) if Path(candidate.path).is_file() else "",
            form,
            problem,
            problem is not None and reference is None,
            captured,
            cases,
            options.mode,
            options.order,
            options.seed,
            options.target,
            options.timeout_s,
            LEEWAY * MAX_WORK.elements if options.shrink else None,
            str(workdir),
            options.backward and _has_backward(candidate),
        )
        session = Session(request, options.memory_bytes, say)
        result = run_worker(
            ENTRY,
            dumps(request).encode(),
            timeout_s=PHASES * options.timeout_s + BUILD_S,
            memory_bytes=options.memory_bytes,
            on_event=session.heard,
        )
        if result.status is WorkerStatus.ERROR:
            raise result.failure("emulate")
        seen = session.emulation(result, notes)
        shrunk = bool(cases) and not cases[0].full
        if shrunk and seen.status is RunStatus.ENDED and seen.mode == "checked":
            seen = _at_full_shape(seen, request, options, say)
    return _of_kernel(attrs.evolve(seen, seconds=time.monotonic() - start), options.kernel, candidate.text)


def _form(candidate: Candidate, reference: Candidate | None) -> tuple[Form, set[str]]:
    """How to run the file, and the names that it binds. Raises: CudasmithError for what has nothing to run."""
    model = readable(candidate)
    names = set().union(*(binds(n) for n in model.tree.body))
    if "ModelNew" in names:
        return "module", names
    if reference is not None:
        raise _no_model_new(candidate, model, "to be compared with a reference it needs one")
    if not model.builds:
        raise _no_model_new(candidate, model, "and no call of load_inline: there is no kernel to run")
    if "get_inputs" in names and _nearly_model_new(model):
        raise _no_model_new(candidate, model, "but get_inputs and a class of nearly that name")
    return "script", names


def _nearly_model_new(model: FileModel) -> list[str]:
    """The class whose name is a slip of ModelNew, if there is one."""
    classes = [c.name for c in model.classes if c.name != "Model"]
    return difflib.get_close_matches("ModelNew", classes, n=1, cutoff=0.7)


def _no_model_new(candidate: Candidate, model: FileModel, why: str) -> CudasmithError:
    near = _nearly_model_new(model)
    hint = f"rename class {near[0]} to ModelNew" if near else "define `class ModelNew(nn.Module)`"
    return CudasmithError("CSE001", f"the file has no ModelNew, {why}", where=candidate.path, help=hint)


def _binds(candidate: Candidate, name: str) -> bool:
    return any(name in binds(n) for n in readable(candidate).tree.body)


def _has_backward(candidate: Candidate) -> bool:
    """Whether the file says how to differentiate what it computes; PyTorch's own operators do so by themselves."""
    names = ("backward", "vjp")
    nodes = readable(candidate).nodes
    return any(
        (isinstance(n, ast.FunctionDef) and n.name in names)
        or (isinstance(n, ast.Attribute) and n.attr == "register_autograd")
        for n in nodes
    )


def _problem(candidate: Candidate, reference: Candidate | None, names: set[str]) -> Problem | None:
    """The reference, or None where nothing tells what is right. Raises: ProblemError, in the words of `port`."""
    if reference is None:
        if "get_inputs" not in names:
            raise CudasmithError(
                "CSE002",
                "the file has ModelNew, but no function get_inputs: it is not known what to call forward with",
                where=candidate.path,
                help="name the file with Model and get_inputs: --reference REF",
            )
        return from_source(candidate.text, candidate.path) if "Model" in names else None
    try:
        return from_source(reference.text, reference.path)
    except ProblemError as error:
        if error.code == "CSP008" and "get_inputs" in names:
            return Problem(path=reference.path, source=reference.text)
        raise


def _captured(problem: Problem, say: Say) -> Capture | None:
    """The graph, which tells sizes that fit; None where forward cannot be traced: then only its own sizes are left."""
    say("reading the reference")
    alone = {
        problem.class_name,
        "get_inputs",
        "get_init_inputs",
    }  # without the kernels, which the tracer cannot build
    try:
        text = only_needed(problem.source, alone, name=problem.path)
        return capture(attrs.evolve(problem, source=text), timeout_s=TRACE_S)
    except ProblemError:
        return None  # a reference that fails altogether says so when it is run


def _cases(
    captured: Capture | None, options: EmulateOptions, problem: Problem | None
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """What to call forward with, the best first, and a note on sizes that are not the file's own."""
    if captured is None or problem is None:
        return (), ()
    own = _own_case(captured, options.seed)
    if not options.shrink or work(captured, _own_sizes(captured)).within(MAX_WORK, times=LEEWAY):
        return (own,), ()
    small = fitted_sizes(captured)
    if not work(captured, small).within(MAX_WORK, times=LEEWAY):
        reason = captured.why_static or "its fixed sizes are large"
        raise CudasmithError(
            "CSE003",
            f"the inputs are too large for a CPU, and smaller ones cannot be made: {reason}",
            where=problem.path,
            help="make get_inputs smaller, or take hours with --no-shrink",
        )
    made = tuple(
        _case(f"shrunk_{v}", captured, small, v, options.seed, full=False) for v in ("normal", "problem")
    )
    was, now = (", ".join(map(_shape, case.inputs)) for case in (own, made[0]))
    return made, (
        f"inputs are shrunk from {was} to {now}: wrong values at full size only are not seen",
        "a kernel with the problem's sizes written in is wrong at others: --no-shrink keeps them and takes its time",
    )


def _at_full_shape(seen: Emulation, request: Request, options: EmulateOptions, say: Say) -> Emulation:
    """What the shrunk inputs hide: launches and addresses at the problem's own sizes."""
    assert request.capture is not None
    say("looking at the problem's own sizes")
    case = _own_case(request.capture, options.seed)
    shape = ", ".join(map(_shape, case.inputs))
    seen, note = looked(seen, request, case, shape, options.memory_bytes)
    return attrs.evolve(seen, notes=(*seen.notes, note))


def _own_sizes(captured: Capture) -> dict[str, int]:
    return {symbol: value for symbol, value, _, _ in captured.free_sizes}


def _own_case(captured: Capture, seed: int) -> Case:
    """The problem's own sizes."""
    return _case("own_inputs", captured, _own_sizes(captured), "problem", seed, full=True)


def _case(name: str, captured: Capture, sizes: dict[str, int], values: str, seed: int, *, full: bool) -> Case:
    specs = [s for s in captured.inputs if s.value is not None]
    empty = Case(
        name, (), tuple(InputCase((), s.value.dtype, values) for s in specs if s.value), True, seed, full
    )
    return at_sizes(captured.inputs, empty, sizes)


def _shape(made: InputCase) -> str:
    return "x".join(map(str, made.shape)) or "()"


def _of_kernel(seen: Emulation, kernel: str | None, text: str) -> Emulation:
    """With a name, what concerns this kernel: its launches, its findings, and those of no kernel.

    A run that did not end is told with all findings: one of them is why.
    Raises: CudasmithError CSE004 when it was not launched in a run that ended, or is none of the file's.
    """
    if kernel is None:
        return seen
    launches = tuple(one for one in seen.launches if kernel in (one.kernel, base_name(one.kernel)))
    ended, defined = seen.status is RunStatus.ENDED, _defined(text)
    if not launches and (ended or (defined and base_name(kernel) not in defined)):
        names = list(dict.fromkeys(one.kernel for one in seen.launches)) if ended else defined
        listed = f"launched: {', '.join(names)}" if names else "no kernel was launched"
        listed = listed if ended else f"kernels of the file: {', '.join(names)}"
        near = difflib.get_close_matches(kernel, names, n=1)
        raise CudasmithError(
            "CSE004",
            f"no kernel {kernel!r} was launched",
            where=seen.path,
            help=f"{listed}; did you mean {near[0]}?" if near else listed,
        )
    others = {one.kernel for one in seen.launches} - {one.kernel for one in launches}
    findings = tuple(f for f in seen.findings if not ended or not any(_is_of(f, name) for name in others))
    return attrs.evolve(seen, launches=launches, findings=findings, kernel=kernel)


def _defined(text: str) -> list[str]:
    """The names of the kernels that the file's words define, in order."""
    plain = re.sub(r"__launch_bounds__\s*\([^()]*\)", "", text)
    return list(dict.fromkeys(re.findall(r"__global__[^;{}()]*?\b(\w+)\s*\(", plain)))


def _is_of(finding: Finding, kernel: str) -> bool:
    """Whether a finding's notes name the kernel as the one it was found in."""
    return any(n == f"kernel {kernel}" or n.startswith(f"kernel {kernel},") for n in finding.notes)
