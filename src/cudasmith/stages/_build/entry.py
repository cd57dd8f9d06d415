"""Entry function of the build worker: torch's own load_inline, or the emulator's, for what one file asks."""

from __future__ import annotations

import contextlib
import re
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from cudasmith.hostapi.units import CPP_HEADERS, CUDA_HEADERS
from cudasmith.model import BuildStatus, Extension
from cudasmith.model.jsonio import loads
from cudasmith.source.regions import POSITIONAL

if TYPE_CHECKING:
    from cudasmith.emulator import EmulatorBuildError
    from cudasmith.stages._verify.executors import BuildEvent

Emit = Callable[[dict[str, Any]], None]
NAME = "cudasmith_candidate"


@attrs.frozen
class Request:
    """What the parent sends: the calls where they are known, else the file's text to run."""

    executor: str  # "gpu" (torch's own load_inline) or "emulator"
    extensions: tuple[Extension, ...]
    text: str
    file: str  # the path of that text, or empty where it has none
    workdir: str


def build_here(data: bytes, emit: Emit) -> dict[str, Any]:
    """{"status": a BuildStatus, "log": text of a failure, "seconds": of load_inline alone, "module": of the build that failed, or of the first,
    "made": name and file of each module}. On a GPU the compilers' words go to stdout."""
    from cudasmith.stages._verify.executors import builds_reported  # torch loads here, in the child

    request = loads(data, Request)
    events: list[BuildEvent] = []
    made: list[tuple[str, str]] = []
    failed = ""
    with contextlib.ExitStack() as stack:
        if request.executor == "emulator":
            from cudasmith import emulator

            from cudasmith.emulator.toolchain import announced

            stack.enter_context(announced(lambda what: emit({"preparing": what})))
            stack.enter_context(emulator.installed(guarded=False))
        stack.enter_context(_builds_elsewhere(made, verbose=request.executor == "gpu"))
        stack.enter_context(builds_reported(events.append, []))
        try:
            if request.extensions:
                _call_all(request.extensions)
            else:
                _run_file(request)
        except Exception as error:  # noqa: BLE001 - the build's failure is the result
            failed = _refused(error, request, [e.module for e in events]) or traceback.format_exc()
    log = failed or ("" if events else "no build was made")
    wrong = [e.module for e in events if e.status is not BuildStatus.OK] or [e.module for e in events]
    return {
        "status": _status(events, failed).value,
        "log": log,
        "seconds": sum(e.seconds for e in events),
        "module": "".join(wrong[:1]),
        "made": made,
    }


def _refused(error: Exception, request: Request, modules: list[str]) -> str:
    """What the emulator says of a source, in the form of the log that torch's build would give; else empty."""
    from cudasmith.emulator import EmulatorBuildError

    if not isinstance(error, EmulatorBuildError) or not modules:
        return ""
    if error.log.startswith("ImportError: "):  # of Python, as it would be there
        return error.log
    file = {"cpp_sources[0]": "main.cpp", "cuda_sources[0]": "cuda.cu"}.get(error.source or "")
    if file is None or error.line is None:
        return f"error: {error}\n{error.log}"
    name = modules[-1]
    bare = any(e.name == name and not e.implicit_headers for e in request.extensions)
    before = 0 if bare else len(CUDA_HEADERS if file == "cuda.cu" else CPP_HEADERS)
    text = str(error).partition(f"{error.source}:{error.line}: ")[2]
    place = f"{name}_v{modules.count(name) - 1}/{file}:{error.line + before}"
    column, quoted = _column(error, text, request)
    return f"{place}:{column} error: {text}\n{quoted}"


def _column(error: EmulatorBuildError, text: str, request: Request) -> tuple[str, str]:
    """The compiler's column as "8:" and the source line as it would quote it; empty where the emulator rewrote that line."""
    from cudasmith.emulator.rewrite import rewrite

    place = re.escape(f"{error.source}:{error.line}:")
    told = re.search(rf"^{place}(\d+:) (?:fatal )?error: {re.escape(text)}$", error.log, re.MULTILINE)
    if told is None or error.line is None or len(request.extensions) != 1:
        return "", ""
    (extension,) = request.extensions
    sources = extension.cpp_sources if (error.source or "").startswith("cpp") else extension.cuda_sources
    own, compiled = (dict(enumerate(t.split("\n"), 1)).get(error.line) for t in (sources[0], rewrite(sources[0])))
    return (told[1], f"{error.line:5} | {own}\n") if own == compiled else ("", "")


def _status(events: list[BuildEvent], failed: str) -> BuildStatus:
    """Of the first build that failed; a file that fails beside its builds cannot be imported."""
    for event in events:
        if event.status is not BuildStatus.OK:
            return event.status
    if failed:
        return BuildStatus.IMPORT_ERROR
    return BuildStatus.OK if events else BuildStatus.NO_TOOLCHAIN


def _call_all(extensions: tuple[Extension, ...]) -> None:
    import torch.utils.cpp_extension as cpp_extension

    for e in extensions:
        cpp_extension.load_inline(
            name=e.name,
            cpp_sources=list(e.cpp_sources),
            cuda_sources=list(e.cuda_sources) or None,
            functions=None if e.functions is None else dict(e.functions),
            extra_cflags=list(e.flags) or None,
            extra_cuda_cflags=list(e.cuda_flags) or None,
            extra_ldflags=list(e.link_flags) or None,
            extra_include_paths=list(e.include_paths) or None,
            no_implicit_headers=not e.implicit_headers,
            with_pytorch_error_handling=e.error_handling,
        )


def _run_file(request: Request) -> None:
    """Import the file; where that builds nothing, make a ModelNew without arguments."""
    from cudasmith.stages._verify.subjects import run_text

    module = run_text(request.text, request.file, Path(request.workdir), NAME)
    model = getattr(module, "ModelNew", None)
    if model is not None:
        model(*getattr(module, "get_init_inputs", list)())


@contextlib.contextmanager
def _builds_elsewhere(made: list[tuple[str, str]], *, verbose: bool) -> Iterator[None]:
    """A build_directory of the file's own stays as it is: what is built for a look goes where all such builds go.

    `made` is given each module that was built. `verbose`: torch tells a good build's warnings only so.
    """
    import torch.utils.cpp_extension as cpp_extension

    original = cpp_extension.load_inline

    def load_inline(*args: Any, **kwargs: Any) -> Any:
        folder = kwargs.get("build_directory")
        if folder is not None and Path(folder).is_dir():  # torch refuses another
            kwargs["build_directory"] = None
        if verbose and len(args) <= len(POSITIONAL):
            kwargs["verbose"] = True
        module = original(*args, **kwargs)
        if isinstance(module, types.ModuleType) and getattr(module, "__file__", None):
            made.append((str(kwargs.get("name", args[0] if args else "")), str(module.__file__)))
        return module

    cpp_extension.load_inline = load_inline
    try:
        yield
    finally:
        cpp_extension.load_inline = original
