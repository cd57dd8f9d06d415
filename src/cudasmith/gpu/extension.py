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
from cudasmith.source.extensions import NotKnown, from_arguments

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
        try:
            _refuse_unserved(call.arguments)
            extension = from_arguments(call.arguments)
            done = build_fast(extension, (arch,))
            reason = done.reason
        except NotKnown as unknown:
            reason = str(unknown)
        if reason:
            on_route(f"torch's load_inline: {reason}")
            return original(*args, **kwargs)
        on_route("light headers")
        return _module(extension, done)

    cpp_extension.load_inline = load_inline
    try:
        yield
    finally:
        cpp_extension.load_inline = original


def _refuse_unserved(arguments: Mapping[str, Any]) -> None:
    if any(arguments.get(k) for k in _UNSERVED) or not arguments.get("is_python_module", True):
        raise NotKnown("a form of call that only torch serves")


def _module(extension: Extension, done: FastBuild) -> Any:
    """Raises: BuildError for a failed build, ImportError for a module that does not load."""
    if done.library is None or done.support is None:
        raise BuildError(f"Error building extension '{extension.name}': {done.status.value}\n{done.log}")
    return import_module(extension.name, done.library, done.support)


__all__ = ["BuildError", "installed"]
