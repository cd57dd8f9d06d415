"""Entry function of the build worker: torch's own load_inline, or the emulator's, for what one file asks."""

from __future__ import annotations

import contextlib
import importlib.util
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from cudasmith.model import Extension
from cudasmith.model.jsonio import loads

Emit = Callable[[dict[str, Any]], None]
CANDIDATE = "model_new_under_build"


@attrs.frozen
class Request:
    """What the parent sends: the calls where they are known, else the file's text to run."""

    executor: str  # "gpu" (torch's own load_inline) or "emulator"
    extensions: tuple[Extension, ...]
    text: str
    workdir: str


def build_here(data: bytes, emit: Emit) -> dict[str, Any]:
    """{"libraries": [...], "seconds": s} or {"error": type, "log": text}. `seconds` are load_inline's alone."""
    request = loads(data, Request)
    spent: list[float] = []
    libraries: list[str] = []
    try:
        with _recorded(request.executor, spent, libraries):
            if request.extensions:
                _call_all(request.extensions)
            else:
                _run_file(request)
    except Exception as error:  # noqa: BLE001 - the build's failure is the result
        text = "".join(traceback.format_exception(error))
        return {"error": type(error).__name__, "log": text, "seconds": sum(spent)}
    return {"libraries": libraries, "seconds": sum(spent)}


@contextlib.contextmanager
def _recorded(executor: str, spent: list[float], libraries: list[str]) -> Iterator[None]:
    import torch.utils.cpp_extension as cpp_extension

    with contextlib.ExitStack() as stack:
        if executor == "emulator":
            from cudasmith import emulator

            stack.enter_context(emulator.installed(guarded=False))
        original = cpp_extension.load_inline

        def load_inline(*args: Any, **kwargs: Any) -> Any:
            start = time.monotonic()
            try:
                module = original(*args, **kwargs)
            finally:
                spent.append(time.monotonic() - start)
            libraries.append(str(getattr(module, "__file__", "")))
            return module

        cpp_extension.load_inline = load_inline
        try:
            yield
        finally:
            cpp_extension.load_inline = original


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
    path = Path(request.workdir) / f"{CANDIDATE}.py"
    path.write_text(request.text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(CANDIDATE, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = getattr(module, "ModelNew", None)
    if model is not None:
        model(*getattr(module, "get_init_inputs", list)())
