"""Stage build: a candidate in, a Build out for each of its `load_inline` calls, with findings where one failed."""

from __future__ import annotations

import ast
import functools
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import attrs

from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import hit_line
from cudasmith.gpu.device import query
from cudasmith.gpu.fast import FastBuild, build_fast
from cudasmith.gpu.runner import environment
from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.judge import LINKERS_WORDS
from cudasmith.hostapi.torch_files import torch_files
from cudasmith.model import Build, BuildStatus, Candidate, CudasmithError, Extension, Finding
from cudasmith.model.candidate import STDIN
from cudasmith.model.jsonio import dumps
from cudasmith.source.extensions import NotKnown, extension_of
from cudasmith.source.filemodel import FileModel, readable
from cudasmith.stages._build.crew import side_by_side
from cudasmith.stages._build.entry import Request
from cudasmith.stages._build.keep import KIND, LIBRARY, Made, bare, put, put_by_content, torch_key, warned_in
from cudasmith.stages._build.read_files import with_files
from cudasmith.stages._build.warned import warned
from cudasmith.stages.diagnose import diagnose, proven
from cudasmith.store import held_by_parent, published, slot, temporary_folder
from cudasmith.workers import WorkerResult, WorkerStatus, run_worker
from cudasmith.workers.run import STARTUP_S

ENTRY = "cudasmith.stages._build.entry:build_here"
LIGHT = "light headers"
TORCH = "torch's load_inline"
UNDECIDED = "not decided"
TORCH_CUDA_BYTES = 4 << 30  # nvcc with torch's headers takes 2.8 GB, g++ beside it 1.4 GB
TORCH_CPP_BYTES = 2 << 30  # 1.7 GB measured
EMULATOR_BYTES = 768 << 20  # torch, and two compilers: 0.5 GB measured
NO_LIBRARY_HEADER = "DG221"  # of this machine's toolkit: no fault of the file's
UNSURE = "said with the light headers; torch's own might know more: a torch with CUDA would decide"
_GENERATED = re.compile(r"(?<![\w./-])(?:cuda\.cu|main\.cpp)(?=[:(])")
_IN_LIGHT = re.compile(r"(?:(?P<file>\S+):(?P<line>\d+): )?error: (?P<text>the light headers .*)\n")
_NO_CUDA_HOME = "CUDA_HOME environment variable is not set"
BuilderName = Literal["fast", "torch"]
Say = Callable[[str], None]
Job = Callable[[Say], "tuple[Build, ...] | CudasmithError"]


@attrs.frozen
class BuildOptions:
    """How to build. `arches`: "sm_90", one or several. Limits: wall-clock seconds, resident bytes of one build.

    `fall_back`: what the fast builder cannot serve is built by torch's own; else it is told as not decided.
    """

    arches: tuple[str, ...] = ("sm_90",)
    executor: Literal["gpu", "emulator"] = "gpu"
    builder: BuilderName = "fast"
    timeout_s: float = 600.0
    memory_bytes: int = 8 << 30
    fall_back: bool = True


@attrs.frozen
class BuildReport:
    """The builds of one file in the order of its calls, what their failures mean, and what compilers warn of."""

    candidate: Candidate
    builds: tuple[Build, ...]
    findings: tuple[Finding, ...]
    warnings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return all(b.status is BuildStatus.OK for b in self.builds)


def build(candidate: Candidate, options: BuildOptions, say: Say = lambda text: None) -> BuildReport:
    """Build every extension that the file asks for, side by side. A failed build is a value.

    Raises: CudasmithError when there is nothing to build, or a tool is missing.
    """
    (answer,) = build_all((candidate,), options, say)
    if isinstance(answer, CudasmithError):
        raise answer
    return answer


def build_all(
    candidates: Sequence[Candidate], options: BuildOptions, say: Say = lambda text: None
) -> Iterator[BuildReport | CudasmithError]:
    """Build the files' extensions side by side, as many as memory and cores bear; answers in the files' order, each as
    soon as it is there."""
    read = [_read(candidate) for candidate in candidates]
    planned = [_planned(one, options) if isinstance(one, Candidate) else one for one in read]
    jobs = [
        (Path(candidate.path).name, job)
        for candidate, found in zip(candidates, planned, strict=True)
        for job in (found if isinstance(found, list) else ())
    ]
    done = side_by_side(jobs, say)
    for one, found in zip(read, planned, strict=True):
        if isinstance(one, CudasmithError):
            yield one
        else:
            yield _report(one, [next(done) for _ in found]) if isinstance(found, list) else found


def _read(candidate: Candidate) -> Candidate | CudasmithError:
    """With the files that it reads, or why that fails."""
    try:
        return with_files(candidate)
    except CudasmithError as error:
        return error


def _report(
    candidate: Candidate, answers: Sequence[tuple[Build, ...] | CudasmithError]
) -> BuildReport | CudasmithError:
    """An error that stops one build of a file is the file's."""
    builds: list[Build] = []
    for answer in answers:
        if isinstance(answer, CudasmithError):
            return answer
        builds += answer
    findings = [f for number, b in enumerate(builds) if b.log for f in _explained(builds, number, candidate)]
    warnings = [f for number in range(len(builds)) for f in _warned(builds, number, candidate)]
    return BuildReport(candidate, tuple(builds), tuple(findings), tuple(warnings))


def _planned(candidate: Candidate, options: BuildOptions) -> list[Job] | CudasmithError:
    """A job for each build that the file takes."""
    try:
        model = _buildable(candidate)
    except CudasmithError as error:
        return error
    if options.executor == "gpu" and options.builder == "fast":
        return [_kept(job) for job in _fast(candidate, model, options)]
    known = _known(model)
    if options.executor == "gpu" and known:
        return [_kept(functools.partial(_of_torch, candidate, e, options, "asked for")) for e in known]
    return [_kept(lambda say: _in_worker(candidate, known, options, "asked for", say))]


def _kept(job: Callable[[Say], tuple[Build, ...]]) -> Job:
    """The job with its CudasmithError as a value: the other builds go on."""

    def run(say: Say) -> tuple[Build, ...] | CudasmithError:
        try:
            return job(say)
        except CudasmithError as error:
            return error

    return run


def _buildable(candidate: Candidate) -> FileModel:
    """Raises: CudasmithError when there is nothing to build."""
    model = readable(candidate)
    if not model.builds and (files := _load_of_files(model)) is not None:
        raise CudasmithError(
            "CSB021",
            "the file builds with torch.utils.cpp_extension.load, from files: cudasmith build makes calls of load_inline only",
            where=f"{candidate.path}:{files.lineno}",
            help="torch's own load builds it when the file is run, with a torch built for CUDA; or read the files where they are "
            'built: load_inline(..., cuda_sources=open("kernel.cu").read())',
        )
    if not model.builds:
        raise CudasmithError(
            "CSB021",
            "the file calls torch.utils.cpp_extension.load_inline nowhere: there is nothing to build",
            where=candidate.path,
            help="give a file whose CUDA source is built by load_inline",
        )
    return model


def _load_of_files(model: FileModel) -> ast.Call | None:
    """The first call of torch's build from files."""
    calls = [n for n in model.nodes if isinstance(n, ast.Call)]
    return next((c for c in calls if model.dotted(c.func) == "torch.utils.cpp_extension.load"), None)


def _explained(builds: Sequence[Build], number: int, candidate: Candidate) -> list[Finding]:
    """What the log of a failed build means; of one that is not decided, what it would mean."""
    failed = builds[number]
    if failed.status is BuildStatus.OK:
        return []
    notes, log = _of_module(builds, number), _in_folder(failed.log, builds, number)
    if failed.route.startswith(UNDECIDED):
        if in_light := _IN_LIGHT.fullmatch(log):
            return [_light_fails(in_light, candidate, notes)]
        notes.append(UNSURE)
        return [attrs.evolve(f, confidence="low", notes=(*f.notes, *notes)) for f in diagnose(log, candidate)]
    return [attrs.evolve(f, notes=(*f.notes, *notes)) for f in diagnose(log, candidate)]


def _light_fails(told: re.Match[str], candidate: Candidate, notes: list[str]) -> Finding:
    line = int(told["line"]) if told["line"] else None
    pointer = "*" in told["text"].partition(" to Python")[0]
    own = "let a function that Python calls take torch::Tensor, not a pointer; " if pointer else ""
    return Finding(
        "CSB024",
        "error",
        told["text"],
        confidence="low",
        span=hit_line(Log(told[0]), 0, told["file"], line, candidate),
        notes=tuple(notes),
        help=f"{own}torch's own headers would decide: --builder torch, with a torch built for CUDA",
    )


def _warned(builds: Sequence[Build], number: int, candidate: Candidate) -> list[Finding]:
    """Of a good build."""
    notes = tuple(_of_module(builds, number))
    lines = [_in_folder(line, builds, number) for line in builds[number].warnings]
    return [attrs.evolve(warned(line, candidate), notes=notes) for line in lines]


def _of_module(builds: Sequence[Build], number: int) -> list[str]:
    """Which of several."""
    return [f"of the module {builds[number].module!r}"] if len(builds) > 1 else []


def _in_folder(log: str, builds: Sequence[Build], number: int) -> str:
    """The log with the generated files in a folder of the module's name, by which their call is known among several."""
    if len(builds) == 1:
        return log
    module = builds[number].module
    earlier = [b.module for b in builds[:number]].count(module)
    return _GENERATED.sub(lambda m: f"{module}_v{earlier}/{m[0]}", log)


def _known(model: FileModel) -> tuple[Extension, ...]:
    """The calls where all of them are known, else none: then the file is run."""
    try:
        return tuple(extension_of(call) for call in model.builds)
    except NotKnown:
        return ()


def _fast(
    candidate: Candidate, model: FileModel, options: BuildOptions
) -> list[Callable[[Say], tuple[Build, ...]]]:
    try:
        extensions = tuple(extension_of(call) for call in model.builds)
    except NotKnown as error:
        reason = str(error)
        if options.fall_back:
            cuda = any("cuda_sources" in call.keywords or len(call.call.args) > 2 for call in model.builds)
            return [lambda say: _in_worker(candidate, (), options, reason, say, cuda=cuda)]
        unknown = FastBuild(BuildStatus.NO_TOOLCHAIN, "", 0.0, reason=reason)
        return [
            lambda say: (_undecided(candidate, unknown, "its call is not known without running the file"),)
        ]
    return [functools.partial(_named, candidate, extension, options) for extension in extensions]


def _named(candidate: Candidate, extension: Extension, options: BuildOptions, say: Say) -> tuple[Build, ...]:
    return (attrs.evolve(_one(candidate, extension, options, say), module=extension.name),)


def _one(candidate: Candidate, extension: Extension, options: BuildOptions, say: Say) -> Build:
    if extension.name and not re.fullmatch(r"[A-Za-z_]\w*", extension.name):
        said = f"the extension's name {extension.name!r} is no C++ name"
        return _as_build(candidate, FastBuild(BuildStatus.COMPILE_ERROR, said, 0.0))
    limits = {"timeout_s": options.timeout_s, "memory_bytes": options.memory_bytes}
    done = build_fast(extension, options.arches, say=say, **limits)  # type: ignore[arg-type]
    found = diagnose(done.log, candidate) if done.status is BuildStatus.COMPILE_ERROR else []
    if found and found[0].code == NO_LIBRARY_HEADER:
        return _as_build(candidate, attrs.evolve(done, status=BuildStatus.NO_TOOLCHAIN))
    if not done.reason or (found and proven(found)):
        return _as_build(candidate, done)
    torch = torch_files()
    if not options.fall_back:
        return _undecided(candidate, done, "torch's own build was not asked for")
    if extension.cuda_sources and torch is not None and not torch.cuda:
        return _undecided(candidate, done, "since a torch built without CUDA cannot build it itself")
    return _of_torch(candidate, extension, options, done.reason, say)[0]


def _undecided(candidate: Candidate, done: FastBuild, why: str) -> Build:
    undecided = attrs.evolve(done, status=BuildStatus.NO_TOOLCHAIN)
    return attrs.evolve(_as_build(candidate, undecided), route=f"{UNDECIDED}, {why}: {done.reason}")


def _as_build(candidate: Candidate, done: FastBuild) -> Build:
    return Build(
        sha256=candidate.sha256,
        executor="gpu",
        status=done.status,
        seconds=done.seconds,
        log=done.log,
        kernels=done.kernels,
        cached=done.cached,
        tool=done.tool,
        route=LIGHT,
        library=str(done.library or ""),
        warnings=done.warnings,
    )


@attrs.frozen
class _NotBuilt(Exception):
    builds: tuple[Build, ...]


def _of_torch(
    candidate: Candidate, extension: Extension, options: BuildOptions, reason: str, say: Say
) -> tuple[Build, ...]:
    """Torch's own build of one extension, from the cache where it has been made before."""
    start = time.monotonic()

    def fill(scratch: Path) -> None:
        def keep(made: Sequence[Made], log: str) -> list[Path]:
            put(made[0], log, scratch)
            return [scratch]

        builds = _in_worker(candidate, (extension,), options, reason, say, keep=keep)
        if builds[0].status is not BuildStatus.OK or not builds[0].library:
            raise _NotBuilt(builds)

    try:
        entry = published(KIND, torch_key(extension, options.arches), fill, say)
    except _NotBuilt as failed:
        return failed.builds
    return (
        Build(
            sha256=candidate.sha256,
            executor="gpu",
            status=BuildStatus.OK,
            seconds=time.monotonic() - start,
            cached=not entry.fresh,
            route=f"{TORCH}: {reason}",
            library=str(entry.path / LIBRARY),
            warnings=warned_in(entry.path),
            module=extension.name,
        ),
    )


def _in_worker(
    candidate: Candidate,
    extensions: tuple[Extension, ...],
    options: BuildOptions,
    reason: str,
    say: Say,
    *,
    cuda: bool = False,
    keep: Callable[[Sequence[Made], str], list[Path]] | None = None,
) -> tuple[Build, ...]:
    """Torch's own load_inline, or the emulator's, in a child process with a build directory of its own.

    One Build, or one for each module that torch has made. `cuda`: the file is known to build CUDA sources, though its
    calls are not. `keep` puts what torch has made, with what was said, into the cache: by content, if not given.
    """
    slow = options.executor == "gpu"
    find_compiler()  # says better what is missing than the worker could
    if slow and (cuda or any(e.cuda_sources for e in extensions)):
        _refuse_without_cuda(candidate, options, reason)
    cost_bytes = (
        EMULATOR_BYTES if not slow else TORCH_CUDA_BYTES if _has_cuda(extensions) else TORCH_CPP_BYTES
    )
    with slot(cost_bytes, say), temporary_folder("build") as workdir:
        start = time.monotonic()
        if slow:
            say(f"with torch's own load_inline, one to two minutes ({reason})")
        file = str(Path(candidate.path).resolve()) if Path(candidate.path).is_file() else ""
        request = Request(options.executor, extensions, candidate.text, file, str(workdir))
        result = run_worker(
            ENTRY,
            dumps(request).encode(),
            timeout_s=options.timeout_s,
            memory_bytes=options.memory_bytes,
            on_event=lambda event: say(event["preparing"]),
            env={**(_environment(options, workdir) if slow else {}), **held_by_parent()},
        )
        if result.error is not None and result.error.told is not None:  # as a cache that cannot be written
            raise result.error.told
        made = _made(result) if slow else []
        said = _said(result)
        put_all = keep or (lambda made, log: [put_by_content(m, log, say) for m in made])
        entries = put_all(made, said) if made else []
    status, log, seconds = _outcome(result, options, file or str(workdir / STDIN))
    module = extensions[0].name if len(extensions) == 1 else ""
    if slow and module:
        log = bare(log, module)
    if result.status is WorkerStatus.OK:
        module = module or result.value["module"]
    if slow and status is not BuildStatus.OK and _NO_CUDA_HOME in log:
        _refuse_without_cuda(candidate, options, reason)
    whole = Build(
        sha256=candidate.sha256,
        executor=options.executor,
        status=status,
        seconds=seconds or time.monotonic() - start,
        log=log,
        route=f"{TORCH}: {reason}" if slow else "emulator",
        module=module,
    )
    if status is not BuildStatus.OK or not entries:
        return (whole,)
    return tuple(
        attrs.evolve(whole, module=m.name, library=str(entry / LIBRARY), warnings=warned_in(entry))
        for m, entry in zip(made, entries, strict=True)
    )


def _made(result: WorkerResult) -> list[Made]:
    """Nothing where a build failed: what the file asked for is not complete."""
    if result.status is not WorkerStatus.OK or result.value["status"] != BuildStatus.OK.value:
        return []
    return [Made(name, file) for name, file in result.value["made"]]


def _said(result: WorkerResult) -> str:
    return "\n".join(text for text in (result.stdout, result.stderr) if text.strip())


def _refuse_without_cuda(candidate: Candidate, options: BuildOptions, reason: str) -> None:
    """A torch without CUDA asks for CUDA_HOME, whatever that says. Raises: CudasmithError where it is such a one."""
    torch = torch_files()
    if torch is None or torch.cuda:
        return
    install = "install a torch built for CUDA: pytorch.org names the index"
    remedy = f"build with --builder fast, which needs no CUDA in torch; or {install}"
    if options.builder == "fast":
        remedy = f"the fast builder, which needs no CUDA in torch, cannot serve this file: {reason}; change that, or {install}"
    raise CudasmithError(
        "CSB023",
        f"torch {torch.version} was built without CUDA: its own load_inline builds no CUDA sources, with any CUDA_HOME",
        where=candidate.path,
        help=remedy,
        exit_code=4,
    )


def _has_cuda(extensions: tuple[Extension, ...]) -> bool:
    """Where the calls are not known, there may be."""
    return not extensions or any(e.cuda_sources for e in extensions)


def _environment(options: BuildOptions, workdir: Path) -> dict[str, str]:
    arches = ";".join(re.sub(r"sm_(\d+)(\d)", r"\1.\2", a) for a in options.arches)  # 9.0a
    return {**environment(query(), workdir), "TORCH_CUDA_ARCH_LIST": arches}


def _outcome(result: WorkerResult, options: BuildOptions, file: str) -> tuple[BuildStatus, str, float]:
    said = _said(result)
    if result.status is WorkerStatus.OK:
        log, status = result.value["log"], BuildStatus(result.value["status"])
        told = f"{said}\n{log}".strip() if log else ""
        verbose = options.executor == "gpu"  # then torch's exception has no words of the tools
        if verbose and status is BuildStatus.COMPILE_ERROR and LINKERS_WORDS.search(told):
            status = BuildStatus.LINK_ERROR
        return status, told, result.value["seconds"]
    if result.status is WorkerStatus.TIMEOUT:
        limit_s = options.timeout_s if result.entered else STARTUP_S
        return (
            BuildStatus.TIMEOUT,
            f"{_step(result, options, file)}: not done after {limit_s:g} s\n{said}",
            0.0,
        )
    if result.status is WorkerStatus.MEMORY:
        used = f"ended for using more than {options.memory_bytes / (1 << 30):.1f} GB of memory"
        return BuildStatus.CRASHED, f"{_step(result, options, file)}: {used}\n{said}", 0.0
    return BuildStatus.CRASHED, said or f"the build's process ended with code {result.returncode}", 0.0


def _step(result: WorkerResult, options: BuildOptions, file: str) -> str:
    """What a worker was at when a limit ended it, and the line of the file that led there."""
    if not result.entered:
        return "the start of Python and torch"
    own = [frame.line for frame in result.stack if frame.file == file]
    where = f", line {own[-1]}" if own else ""
    if any(frame.function == "load_inline" for frame in result.stack):
        return f"{'load_inline' if options.executor == 'gpu' else 'the emulator'}{where}"
    return f"the file itself{where}" if own else "the preparation of the build"
