"""Watch: every load_inline of a candidate, every call of what it bound, and every exception that came from there."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import torch.utils.cpp_extension as cpp_extension

from cudasmith import emulator
from cudasmith.stages.emulated_place import Loaded, loaded_from

_BOUND = (types.BuiltinFunctionType, types.FunctionType)
_OURS = str(Path(__file__).parents[1]) + os.sep  # frames of this package are not the caller


@attrs.frozen(eq=False)
class Raised:
    """An exception that left load_inline or a bound function, with the place of the call in the user's files."""

    function: str
    error: Exception
    file: str
    line: int


@attrs.define
class Watch:
    """What happened inside `installed()`. `on_call(function, file, line)` is told of each call before it begins."""

    on_call: Callable[[str, str, int], None] = lambda function, file, line: None
    on_return: Callable[[], None] = lambda: None
    loaded: list[Loaded] = attrs.Factory(list)
    raised: list[Raised] = attrs.Factory(list)
    built: int = 0  # calls of load_inline that gave a module

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Wraps load_inline as it is now. Inside `emulator.installed()`."""
        original = cpp_extension.load_inline
        cpp_extension.load_inline = self._loading(original)
        try:
            yield
        finally:
            cpp_extension.load_inline = original

    def swallowed(self, reached: BaseException | None) -> list[Raised]:
        """The exceptions that the candidate caught: neither `reached` itself nor a cause of it."""
        chain = set(map(id, causes(reached)))
        return [r for r in self.raised if id(r.error) not in chain]

    def _loading(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def load_inline(*args: Any, **kwargs: Any) -> Any:
            file, line = caller()
            self._remember(args, kwargs, file, line)
            module = self._told(original, "load_inline", file, line, args, kwargs)
            self.built += 1
            return self._watched(module)

        return load_inline

    def _remember(self, args: tuple[Any, ...], kwargs: dict[str, Any], file: str, line: int) -> None:
        with contextlib.suppress(TypeError):  # wrong arguments: load_inline says so itself
            given = inspect.signature(emulator.load_inline).bind_partial(*args, **kwargs).arguments
            self.loaded.append(loaded_from(given, file, line))

    def _watched(self, module: Any) -> Any:
        for name, function in list(vars(module).items()):
            if isinstance(function, _BOUND) and not name.startswith("__"):
                setattr(module, name, self._calling(name, function))
        return module

    def _calling(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            file, line = caller()
            self.on_call(name, file, line)
            try:
                return self._told(function, name, file, line, args, kwargs)
            finally:
                self.on_return()

        return call

    def _told(
        self,
        function: Callable[..., Any],
        name: str,
        file: str,
        line: int,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            self.raised.append(Raised(name, error, file, line))
            raise


def causes(error: BaseException | None) -> list[BaseException]:
    """The exception and those that led to it."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and one not in found:
            found.append(one)
            waiting += [one.__cause__, one.__context__]
    return found


def caller() -> tuple[str, int]:
    """File and line of the innermost frame that is neither ours nor torch's."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((_OURS, "<frozen")) and not _is_torch(frame):
            return name, frame.f_lineno
        frame = frame.f_back
    return "", 0


def _is_torch(frame: types.FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in ("torch", "unittest", "contextlib")
