"""The emulator, installed around every test of this folder, and its two compiled kernel files."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cudasmith import emulator

HERE = Path(__file__).parent


def _load(name: str) -> types.ModuleType:
    source = (HERE / f"{name}_kernels.cu").read_text()
    return emulator.load_inline(
        name=f"{name}_kernels", cpp_sources=[], cuda_sources=[source], extra_cuda_cflags=["-O3"]
    )


@pytest.fixture(scope="session")
def correct() -> types.ModuleType:
    """Kernels without faults."""
    return _load("correct")


@pytest.fixture(scope="session")
def faulty() -> types.ModuleType:
    """Kernels with one planted fault each."""
    return _load("faulty")


@pytest.fixture(scope="session")
def load() -> Callable[[str], types.ModuleType]:
    """Builds `<name>_kernels.cu` of this folder."""
    return _load


@pytest.fixture(autouse=True)
def _emulated() -> Iterator[None]:
    with emulator.installed():
        yield
