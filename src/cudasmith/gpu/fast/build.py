"""One extension to a module: compile beside each other, link, publish in the cache."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import attrs

from cudasmith.gpu import cudart, ptxas
from cudasmith.gpu.fast.headers import all_implied_options, implied_options, missing_light_header
from cudasmith.gpu.fast.phases import parse, working
from cudasmith.gpu.fast.warnings import warnings
from cudasmith.gpu.toolchain import Toolchain, find_nvcc
from cudasmith.hostapi.compiler import Compiler, file_identity, find_compiler
from cudasmith.hostapi.judge import light_error, not_the_users, without_inner
from cudasmith.hostapi.library import headers_digest, light_includes, needed_torch, support_library
from cudasmith.hostapi.torch_files import TorchFiles
from cudasmith.hostapi.units import Unit, units
from cudasmith.hostapi.user_headers import user_header_files, user_headers
from cudasmith.model import BuildStatus, Extension, KernelResources
from cudasmith.store import digest, published, refuse_deleted, refuse_full_disk, slot
from cudasmith.workers.command import CommandResult, ended_when_interrupted, run_command

FIRST_STANDARD = "c++17"  # what the light headers need: parses a third faster than C++20
LIBRARY = "module.so"
LOG = "build.log"
SIGNALS = 64
EXPORTS = (
    "{ global: PyInit_*; local: *; };\n"  # a candidate's symbols must not meet another's, or torch's own
)
_UNDEFINED = re.compile(r"(?:undefined reference to|unresolved symbol) [`'\"‘]?([\w.$@]+)")
_NAMES = re.compile(
    r"undefined|no member|not declared|not a member|incomplete|not a template|no instance|no matching|not a type|does not name"
)
DEFINES = (  # what torch.utils.cpp_extension passes to nvcc
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr",
)
CPP_BYTES, CUDA_BYTES, HEAVY_CUDA_BYTES = 256 << 20, 512 << 20, 1280 << 20  # measured: 0.1, 0.4 and 1.15 GB
_HEAVY = re.compile(r"#\s*include\s*[<\"](cub|thrust|cute|cutlass|cuda/std)\b")
Say = Callable[[str], None]


class Needs(Protocol):
    """Options for one source: which headers it is given beyond its own includes."""

    def __call__(self, text: str, *, cuda: bool) -> list[str]: ...


@attrs.frozen
class FastBuild:
    """What came of it. `reason` is not empty when this route cannot tell: then nothing is known of the file.

    `library` and `support`: the module's file and the library it needs, when it was linked.
    """

    status: BuildStatus
    log: str
    seconds: float
    library: Path | None = None
    support: Path | None = None
    kernels: tuple[KernelResources, ...] = ()
    cached: bool = False
    tool: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()  # of a source that was accepted, as the compilers write them


@attrs.frozen
class _Failed(Exception):
    status: BuildStatus
    log: str
    source: str = ""  # the text that does not compile

    def reason(self) -> str:
        """Why this proves nothing of the source, or empty. Reads torch's headers: asked when nothing is left to try."""
        return not_the_users(self.log, self.source) if self.status is BuildStatus.COMPILE_ERROR else ""


@attrs.frozen
class _Job:
    extension: Extension
    arches: tuple[str, ...]
    nvcc: Toolchain | None
    torch: TorchFiles
    compiler: Compiler
    timeout_s: float
    memory_bytes: int

    def limits(self) -> dict[str, float | int]:
        return {"timeout_s": self.timeout_s, "memory_bytes": self.memory_bytes}


def build_fast(
    extension: Extension,
    arches: tuple[str, ...],
    *,
    timeout_s: float = 300.0,
    memory_bytes: int = 8 << 30,
    say: Say = lambda text: None,
) -> FastBuild:
    """Compile and link one extension for `arches` ("sm_90"), from the cache where it has been built before.

    Raises: CudasmithError when a tool is missing or the cache cannot be written.
    """
    start = time.monotonic()
    nvcc = find_nvcc()
    if extension.cuda_sources and nvcc is None:
        return FastBuild(BuildStatus.NO_TOOLCHAIN, "no nvcc was found", time.monotonic() - start)
    tool = f"nvcc {nvcc.version}" if nvcc and extension.cuda_sources else "c++"
    reason = _unsuitable(extension)
    if reason:
        return FastBuild(BuildStatus.NO_TOOLCHAIN, "", time.monotonic() - start, tool=tool, reason=reason)
    job = _Job(extension, arches, nvcc, needed_torch(), find_compiler(), timeout_s, memory_bytes)
    with contextlib.suppress(FileNotFoundError):  # the cache was cleared meanwhile
        return _attempt(job, start, tool, say)
    return _attempt(job, start, tool, say)


def _attempt(job: _Job, start: float, tool: str, say: Say) -> FastBuild:
    """Raises: FileNotFoundError when what it needs of the cache disappears."""
    support = support_library(str(Path(job.nvcc.root) / "include") if job.nvcc else None, say)
    try:
        entry = published(
            "modules", _key(job, support), lambda scratch: _in_slot(job, support, scratch, say), say
        )
    except _Failed as failed:
        if not support.exists():
            raise FileNotFoundError(support) from None
        log = light_error(failed.log) or without_inner(failed.log)
        return FastBuild(failed.status, log, time.monotonic() - start, tool=tool, reason=failed.reason())
    log = (entry.path / LOG).read_text(encoding="utf-8")
    refused = _import_error(job.extension, log, entry.path / LIBRARY)
    return FastBuild(
        status=BuildStatus.IMPORT_ERROR if refused else BuildStatus.OK,
        log=refused,
        seconds=time.monotonic() - start,
        library=entry.path / LIBRARY,
        support=support,
        kernels=ptxas.of_texts(ptxas.resources(log), _texts(job.extension)),
        cached=not entry.fresh,
        tool=tool,
        warnings=warnings(log),
    )


def _texts(extension: Extension) -> list[str]:
    """All that is the user's own."""
    headers = [f.read_text(encoding="utf-8", errors="replace") for f in user_header_files(extension)]
    return [*extension.cuda_sources, *headers]


def _unsuitable(extension: Extension) -> str:
    """Why the light headers cannot stand in for torch's, as far as the text tells; else empty."""
    for text in (*extension.cpp_sources, *extension.cuda_sources):
        header = missing_light_header(text)
        if header:
            return f"it includes {header}, which has no light form"
    if not re.fullmatch(r"[A-Za-z_]\w*", extension.name):
        return f"{extension.name!r} is no C++ name"
    for flag in (*extension.flags, *extension.cuda_flags):
        if re.match(r"-?-std\b", flag):
            return f"it asks for {flag}"
    return ""


def _key(job: _Job, support: Path) -> str:
    return digest(
        repr(job.extension),
        " ".join(job.arches),
        file_identity(job.nvcc.nvcc) if job.nvcc else "",
        job.compiler.identity,
        job.torch.version,
        support.name,
        headers_digest(),
        *user_headers(job.extension),
    )


def _in_slot(job: _Job, support: Path, scratch: Path, say: Say) -> None:
    with slot(_cost_bytes(job.extension), say):
        _build(job, support, scratch)


def _cost_bytes(extension: Extension) -> int:
    """What nvcc's two halves and g++ hold together at their peak."""
    if not extension.cuda_sources:
        return CPP_BYTES
    return HEAVY_CUDA_BYTES if any(_HEAVY.search(text) for text in extension.cuda_sources) else CUDA_BYTES


def _build(job: _Job, support: Path, scratch: Path) -> None:
    """Fill the entry. Where a source does not compile, all of the standard library is offered before it is judged.

    Raises: _Failed.
    """
    try:
        log = _compile_all(job, scratch, FIRST_STANDARD, implied_options)
    except _Failed as first:
        if not _may_lack_a_name(first):
            raise
        log = _compile_all(job, scratch, f"c++{job.torch.standard}", all_implied_options)
    log += _link(job, support, scratch)
    for file in [f for f in scratch.iterdir() if f.name != LIBRARY]:
        _remove(file)
    (scratch / LOG).write_text(log, encoding="utf-8")


def _may_lack_a_name(failed: _Failed) -> bool:
    """More headers, or a later standard, could mend it."""
    return failed.status is BuildStatus.COMPILE_ERROR and (
        bool(_NAMES.search(failed.log)) or bool(failed.reason())
    )


def _remove(path: Path) -> None:
    if path.is_dir():
        for inner in path.iterdir():
            _remove(inner)
        path.rmdir()
    else:
        path.unlink()


def _compile_all(job: _Job, scratch: Path, standard: str, needs: Needs) -> str:
    found = units(job.extension)
    with ThreadPoolExecutor(2) as pool, ended_when_interrupted():
        running: list[tuple[Unit, Future[CommandResult]]] = []
        for unit in found:
            (scratch / unit.file).write_text(unit.text, encoding="utf-8")
            cuda = unit.file.endswith(".cu")
            compile_one = _compile_cuda if cuda else _compile_cpp
            options = [f"-std={standard}", *needs(unit.text, cuda=cuda)]
            running.append((unit, pool.submit(compile_one, job, scratch, unit, options)))
        done = [(unit, future.result()) for unit, future in running]
    for unit, result in done:
        if result.returncode != 0:
            refuse_deleted(scratch, result.output)
            refuse_full_disk(scratch, result.output)
            raise _failure(unit, result, scratch)
    return "".join(result.output for _, result in done)


def _failure(unit: Unit, result: CommandResult, scratch: Path) -> _Failed:
    if result.returncode is None:
        half = working(scratch) if unit.file.endswith(".cu") else "host code"
        return _stopped(f"{unit.file}, {half}", result)
    if result.returncode < 0 or 128 < result.returncode <= 128 + SIGNALS:  # ptxas ends with 255 on errors
        return _Failed(BuildStatus.CRASHED, result.output)
    return _Failed(BuildStatus.COMPILE_ERROR, result.output, unit.text)


def _stopped(step: str, result: CommandResult) -> _Failed:
    """By a limit, of time or of memory."""
    status = BuildStatus.CRASHED if result.memory else BuildStatus.TIMEOUT
    return _Failed(status, f"{step}: {result.ending}\n{result.output}")


def _compile_cpp(job: _Job, scratch: Path, unit: Unit, options: list[str]) -> CommandResult:
    command = [job.compiler.path, *_common(job), "-DCSM_HOST", *_cuda_include(job), "-fPIC", *options]
    command += job.extension.flags
    return _run(job, [*command, "-c", unit.file, "-o", _object(unit)], scratch)


def _run(job: _Job, command: list[str], scratch: Path) -> CommandResult:
    """Temporary files go where the entry is made: one disk to have room on, and nothing elsewhere after a kill."""
    return run_command(command, cwd=scratch, env={"TMPDIR": str(scratch)}, **job.limits())  # type: ignore[arg-type]


def _compile_cuda(job: _Job, scratch: Path, unit: Unit, options: list[str]) -> CommandResult:
    assert job.nvcc is not None
    command = [
        job.nvcc.nvcc,
        *_common(job),
        *DEFINES,
        *_arch_flags(job),
        "-Xcompiler",
        "-fPIC",
        "-Xptxas",
        "-v",
    ]
    command += [*options, *job.extension.cuda_flags, "-c", unit.file, "-o", _object(unit)]
    planned = _run(job, [*command, "--dryrun"], scratch)
    phases = parse(planned.output) if planned.returncode == 0 else None
    if phases is None:
        return _run(job, command, scratch)
    script = scratch / "phases.sh"
    script.write_text(phases.script(f"_{digest(unit.text)[:8]}_cudasmith"), encoding="utf-8")
    return _run(job, ["/bin/sh", script.name], scratch)


def _common(job: _Job) -> list[str]:
    paths = [f"-I{Path(path).absolute()}" for path in job.extension.include_paths]  # we compile elsewhere
    return [
        f"-DTORCH_EXTENSION_NAME={job.extension.name}",
        "-DTORCH_API_INCLUDE_EXTENSION_H",
        *light_includes(),
        *paths,
    ]


def _cuda_include(job: _Job) -> list[str]:
    return [f"-isystem{Path(job.nvcc.root) / 'include'}"] if job.nvcc else []


def _arch_flags(job: _Job) -> list[str]:
    """As torch: a flag of the user's that names an architecture takes the place of ours."""
    if any("arch" in flag for flag in job.extension.cuda_flags):
        return []
    numbers = [arch.removeprefix("sm_") for arch in job.arches]
    return [f"-gencode=arch=compute_{n},code=sm_{n}" for n in numbers]


def _object(unit: Unit) -> str:
    return unit.file.replace(".", "_") + ".o"


def _link(job: _Job, support: Path, scratch: Path) -> str:
    """Link the module; undefined symbols are told, as warnings, and stay: the import refuses them, as for torch's.

    Raises: _Failed.
    """
    (scratch / "exports.map").write_text(EXPORTS)
    objects = [_object(unit) for unit in units(job.extension)]
    command = [
        job.compiler.path,
        "-shared",
        "-o",
        LIBRARY,
        *objects,
        f"-L{support.parent}",
        f"-l:{support.name}",
    ]
    command += _cudart(job)
    command += [*job.extension.link_flags, "-Wl,--version-script=exports.map", "-Wl,-z,defs"]
    command += ["-Wl,--warn-unresolved-symbols", "-Wl,--no-demangle"]
    done = _run(job, command, scratch)
    if done.returncode != 0:
        refuse_deleted(scratch, done.output)
        refuse_full_disk(scratch, done.output)
        if done.returncode is None:
            raise _stopped("the linker", done)
        raise _Failed(BuildStatus.LINK_ERROR, done.output)
    return done.output


def _cudart(job: _Job) -> list[str]:
    if job.nvcc is None or not job.extension.cuda_sources:
        return []
    library = cudart.versioned(job.nvcc)
    if library is None:
        return ["-lcudart"]
    return [f"-L{library.parent}", f"-Wl,-rpath,{library.parent}", f"-l:{library.name}"]


def _import_error(extension: Extension, log: str, library: Path) -> str:
    """The words that the import would fail with, or none: from the linker's warnings and the table of symbols."""
    symbol = _UNDEFINED.search(log)
    if symbol:
        return f"ImportError: {extension.name}.so: undefined symbol: {symbol[1]}"
    entry = f"PyInit_{extension.name}"
    if b"\0" + entry.encode() + b"\0" in library.read_bytes():
        return ""
    return f"ImportError: dynamic module does not define module export function ({entry})"
