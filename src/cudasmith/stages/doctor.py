"""doctor: this machine in, its conditions out; and what can be mended without asking."""

from __future__ import annotations

from collections.abc import Callable

from cudasmith.model import Condition, Mend
from cudasmith.stages._doctor import compilers, locks, mend, places, python_side, toolkit
from cudasmith.stages._doctor.machine import Machine, look

CHECKS: tuple[Callable[[Machine], Condition | None], ...] = (
    python_side.torch,
    python_side.gpu,
    python_side.driver,
    python_side.python_header,
    compilers.host_compiler,
    compilers.torch_compiler,
    toolkit.nvcc,
    compilers.nvcc_host_compiler,
    toolkit.versions,
    toolkit.cuda_home,
    toolkit.headers,
    toolkit.runtime_library,
    toolkit.architecture,
    places.ninja,
    places.cache,
    places.temporary,
    locks.extension_cache,
    places.memory,
)
FIXES: tuple[Callable[[Machine], list[Mend]], ...] = (
    mend.make_cache,
    mend.link_cudart,
    mend.remove_stale_locks,
    mend.install_ninja,
)


def examine(machine: Machine | None = None) -> tuple[Condition, ...]:
    """Every check that applies to this machine, in the order in which they build on each other."""
    machine = machine or look()
    found = (_guarded(check, machine) for check in CHECKS)
    return tuple(condition for condition in found if condition is not None)


def fix(machine: Machine | None = None) -> tuple[Mend, ...]:
    """Do what is safe: nothing outside cudasmith's cache, stale locks and the active virtual environment."""
    machine = machine or look()
    return tuple(done for step in FIXES for done in step(machine))


def _guarded(check: Callable[[Machine], Condition | None], machine: Machine) -> Condition | None:
    """An unreadable file is no reason to say nothing about the rest."""
    try:
        return check(machine)
    except OSError as error:
        return Condition(check.__name__.replace("_", " "), "warn", f"could not be looked at: {error}")
