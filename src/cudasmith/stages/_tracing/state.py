"""State that forward keeps outside of buffers: a graph cannot say it, so it must not be lost silently."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import torch

from cudasmith.model import SourceLine
from cudasmith.stages._tracing.explain import UserCode, state_kept


@contextlib.contextmanager
def no_hidden_state(code: UserCode) -> Iterator[None]:
    """While tracing, an attribute of a module that existed before may not be set by the user's code.

    Buffers may: their new values are part of the graph. A new attribute may: nothing of it is read by
    the next call before it is set again.

    Raises: ProblemError CSP034.
    """
    original = torch.nn.Module.__setattr__
    made: set[tuple[int, str]] = set()

    def checked(module: torch.nn.Module, name: str, value: Any) -> None:
        frame = sys._getframe(1)
        if code.owns(frame.f_code.co_filename) and name not in module._buffers:
            if name not in module.__dict__ or (id(module), name) in made:
                made.add((id(module), name))
            else:
                raise state_kept(name, SourceLine(frame.f_code.co_filename, frame.f_lineno, ""), code)
        original(module, name, value)

    torch.nn.Module.__setattr__ = checked  # type: ignore[method-assign]
    try:
        yield
    finally:
        torch.nn.Module.__setattr__ = original  # type: ignore[method-assign]
