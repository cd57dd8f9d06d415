"""load_inline for a worker with a GPU: the fast builder where it can serve the call, else torch's own."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch.utils.cpp_extension as cpp_extension

from cudasmith.gpu.fast import FastBuild, build_fast
from cudasmith.hostapi.load import import_module
from cudasmith.model import Extension

_UNSERVED = ("sycl_sources", "extra_sycl_cflags", "with_sycl")
Told = Callable[[str], None]


class BuildError(RuntimeError):
    """What torch's load_inline raises as a RuntimeError, with the compiler's words."""


@contextlib.contextmanager
def installed(arch: str, on_route: Told = lambda route: None) -> Iterator[None]:
    """Inside, torch's load_inline is served by the fast builder for `arch`. `on_route` is told how each call was."""
    original = cpp_extension.load_inline

    def load_inline(*args: Any, **kwargs: Any) -> Any:
        call = inspect.signature(original).bind(*args, **kwargs)  # refuses what torch's own refuses
        call.apply_defaults()
        extension = extension_of(call.arguments)
        reason = "a form of call that only torch serves"
        if extension is not None:
            done = build_fast(extension, (arch,))
            if not done.reason:
                on_route("light headers")
                return _module(extension, done)
            reason = done.reason
        on_route(f"torch's load_inline: {reason}")
        return original(*args, **kwargs)

    cpp_extension.load_inline = load_inline
    try:
        yield
    finally:
        cpp_extension.load_inline = original


def extension_of(arguments: Mapping[str, Any]) -> Extension | None:
    """The extension that a bound call of load_inline asks for; None for what only torch serves."""
    sources = [_texts(arguments[k]) for k in ("cpp_sources", "cuda_sources")]
    functions = arguments["functions"]
    strange = any(arguments.get(k) for k in _UNSERVED) or not arguments.get("is_python_module", True)
    if (
        strange
        or arguments["cpp_sources"] is None
        or None in sources
        or not isinstance(arguments["name"], str)
    ):
        return None
    if isinstance(functions, str):
        functions = [functions]
    if isinstance(functions, list):
        functions = {name: name for name in functions}
    if functions is not None and not isinstance(functions, dict):
        return None
    cpp, cuda = (tuple(s or ()) for s in sources)
    return Extension(
        name=arguments["name"],
        cpp_sources=cpp,
        cuda_sources=cuda,
        functions=None if functions is None else tuple((str(k), str(v)) for k, v in functions.items()),
        flags=tuple(arguments["extra_cflags"] or ()),
        cuda_flags=tuple(arguments["extra_cuda_cflags"] or ()),
        link_flags=tuple(arguments["extra_ldflags"] or ()),
        include_paths=tuple(str(p) for p in arguments["extra_include_paths"] or ()),
        implicit_headers=not arguments.get("no_implicit_headers", False),
        error_handling=bool(arguments.get("with_pytorch_error_handling", True)),
    )


def _texts(sources: Any) -> list[str] | None:
    """As torch takes them: a text or a list of texts; None for anything else, which torch refuses or mends itself."""
    if sources is None:
        return []
    if isinstance(sources, str):
        return [sources]
    if isinstance(sources, list) and all(isinstance(s, str) for s in sources):
        return list(sources)
    return None


def _module(extension: Extension, done: FastBuild) -> Any:
    """Raises: BuildError for a failed build, ImportError for a module that does not load."""
    if done.library is None or done.support is None:
        raise BuildError(f"Error building extension '{extension.name}': {done.status.value}\n{done.log}")
    return import_module(extension.name, done.library, done.support)


__all__ = ["BuildError", "extension_of", "installed"]
