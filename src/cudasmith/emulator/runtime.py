"""The loaded runtime library and its launch log."""

from __future__ import annotations

import contextlib
import functools
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs

from cudasmith.emulator.errors import Coordinates
from cudasmith.emulator.targets import TARGETS, Target
from cudasmith.emulator.toolchain import (
    RUNTIME_NAME,
    Mode,
    light_headers,
    precompiled_header,
    runtime_library,
)
from cudasmith.hostapi.library import support_library
from cudasmith.hostapi.load import set_hooks


@attrs.frozen
class Launch:
    """One kernel launch that passed the launch checks."""

    kernel: str
    line: int  # in the CUDA text
    grid: Coordinates
    block: Coordinates
    shared_bytes: int  # dynamic
    seconds: float = 0.0  # of CPU time; 0 where the kernel did not end


@functools.cache
def runtime() -> Any:
    """The runtime library as a Python module. Its symbols are global: candidates find them when loaded."""
    with ThreadPoolExecutor(1) as pool:
        host = pool.submit(support_library, None)  # these builds take long, so they overlap
        path = runtime_library()
        precompiled_header(light_headers())
        support = host.result()
    loader = importlib.machinery.ExtensionFileLoader(RUNTIME_NAME, str(path))
    spec = importlib.util.spec_from_file_location(RUNTIME_NAME, path, loader=loader)
    assert spec is not None
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    try:
        module = importlib.util.module_from_spec(spec)
    finally:
        sys.setdlopenflags(flags)
    loader.exec_module(module)
    set_hooks(support, module.hooks_address())
    _use(module, _targets[-1])
    return module


_mode: Mode = "fast"


def mode() -> Mode:
    """How candidates are compiled now."""
    return _mode


def set_mode(chosen: Mode) -> None:
    """Compile candidates so from now on."""
    global _mode
    _mode = chosen


@contextlib.contextmanager
def standing_for(target: Target) -> Iterator[None]:
    """Inside, the device is this one."""
    _use(runtime(), target)
    _targets.append(target)
    try:
        yield
    finally:
        _targets.pop()
        _use(runtime(), _targets[-1])


_targets = [TARGETS["h200"]]


def _use(native: Any, target: Target) -> None:
    native.set_device(target.name, target.numbers(), target.memory_bytes)


def launches() -> list[Launch]:
    """The launches since the last reset, in order."""
    return [Launch(*record) for record in runtime().launches()]


def reset() -> None:
    """Forgets launches, pending launch errors and raised shared-memory limits."""
    runtime().reset()
