"""Makes load_inline and the `cuda` device mean the emulator for a while."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any, Literal, get_args
from unittest import mock

import attrs
import torch
import torch.utils.cpp_extension
from torch.utils._device import DeviceContext

from cudasmith.emulator.detected import make_fault
from cudasmith.emulator.devices import CudaIsCpu, Generator, device_context, said_truthfully
from cudasmith.emulator.extension import load_inline
from cudasmith.emulator.runtime import reset, runtime, set_mode, standing_for
from cudasmith.emulator.targets import TARGETS, Target
from cudasmith.emulator.toolchain import Mode

Order = Literal["forward", "reverse", "random"]


_ORDERS: tuple[Order, ...] = ("forward", "reverse", "random")


@attrs.frozen
class _Settings:
    """What `installed` has told the runtime; the defaults are those outside of it."""

    guarded: bool = False
    skip_kernels: bool = False
    skip_kernel: str = ""
    exited_threads_pass_barriers: bool = False
    mode: Mode = "fast"
    order: Order = "forward"
    seed: int = 0
    fail_fast: bool = False
    sampled_blocks: int = 0

    def apply(self) -> None:
        """Raises: RuntimeError when the system does not give checked mode its address space."""
        native, checked = runtime(), self.mode == "checked"
        order = _ORDERS.index(self.order)
        if not native.configure_checks(checked, order, self.seed, self.fail_fast, self.sampled_blocks):
            raise RuntimeError(
                "checked mode reserves 10 TB of address space (not memory), which was refused: is it limited (ulimit -v)?"
            )
        set_mode(self.mode)
        native.configure(
            make_fault, self.guarded or checked, self.skip_kernels, self.exited_threads_pass_barriers
        )
        native.skip(self.skip_kernel)


_settings = [_Settings()]  # those of the blocks that are open, the innermost last


@contextlib.contextmanager
def _applied(settings: _Settings) -> Iterator[None]:
    """Inside, the runtime works so; after it, as before."""
    try:
        settings.apply()
        _settings.append(settings)
        try:
            yield
        finally:
            _settings.pop()
    finally:
        _settings[-1].apply()


@contextlib.contextmanager
def _devices_told(on: bool) -> Iterator[None]:
    """Inside, it is noted on which device memory lies, or it is not."""
    native = runtime()
    before = native.tell_devices(on)
    try:
        yield
    finally:
        native.tell_devices(before)


def _nothing() -> Any:
    """A new function that does nothing, for a call that only orders or times device work. One object for
    several names would trip torch's own table of its functions."""
    return lambda *args, **kwargs: None


def _properties(target: Target) -> types.SimpleNamespace:
    """torch.cuda.get_device_properties of the emulated device."""
    return types.SimpleNamespace(
        name=target.name,
        major=target.capability[0],
        minor=target.capability[1],
        multi_processor_count=target.sms,
        warp_size=32,
        total_memory=target.memory_bytes,
        max_threads_per_multi_processor=target.threads_per_sm,
        shared_memory_per_block=49152,
        shared_memory_per_block_optin=target.shared_per_block,
        shared_memory_per_multiprocessor=target.shared_per_sm,
        L2_cache_size=target.l2_bytes,
    )


def _seed(seed: int) -> None:
    """Random values on cuda come from the CPU's generator, which is seeded for both."""
    torch.default_generator.manual_seed(int(seed))


_CUDA_PATCHES: dict[str, Any] = {
    "is_available": lambda: True,
    "is_initialized": lambda: True,
    "init": _nothing(),
    "device_count": lambda: 1,
    "current_device": lambda: 0,
    "set_device": _nothing(),
    "synchronize": _nothing(),
    "empty_cache": _nothing(),
    "manual_seed": lambda seed: _seed(seed),
    "manual_seed_all": lambda seed: _seed(seed),
    "seed": lambda: _seed(torch.initial_seed() + 1),
    "seed_all": lambda: _seed(torch.initial_seed() + 1),
    "initial_seed": torch.initial_seed,
    "get_rng_state": lambda device="cuda": torch.get_rng_state(),
    "set_rng_state": lambda new_state, device="cuda": torch.set_rng_state(new_state),
    "get_rng_state_all": lambda: [torch.get_rng_state()],
    "set_rng_state_all": lambda new_states: torch.set_rng_state(new_states[0]),
    "default_generators": (torch.default_generator,),
}


def _patches(target: Target) -> dict[str, Any]:
    return {
        **_CUDA_PATCHES,
        "get_device_name": lambda device=None: target.name,
        "get_device_capability": lambda device=None: target.capability,
        "get_device_properties": lambda device=None: _properties(target),
    }


@contextlib.contextmanager
def installed(
    *,
    guarded: bool = True,
    skip_kernels: bool = False,
    skip_kernel: str = "",
    exited_threads_pass_barriers: bool = False,
    mode: Mode = "fast",
    order: Order = "forward",
    seed: int = 0,
    fail_fast: bool = False,
    sampled_blocks: int = 0,
    target: str = "h200",
    devices: bool = True,
) -> Iterator[None]:
    """Inside, torch's load_inline compiles for the CPU and tensors stay there, whatever device is named.

    guarded: tensors end at an inaccessible page and fresh memory is NaN.
    skip_kernels: launches are checked and logged but run nothing. An output that does not change was not
    computed by a kernel.
    skip_kernel: the same for the kernel of this name alone; fresh memory is a number, so that 0 * y does not show it.
    exited_threads_pass_barriers: accept a __syncthreads() that exited threads miss, as hardware does; CUDA's
    manual calls it undefined, so the default is a fault.
    target: the GPU whose properties and limits the device has, a key of TARGETS.

    mode: "checked" compiles candidates with a check before every access; `detected()` lists what it found, and
    `coverage()` what it could not check. It guards memory whatever `guarded` says. A module that was loaded
    before in fast mode stays unchecked.
    order: of blocks, and of threads between barriers; "random" depends on `seed`.
    fail_fast: in checked mode, end the kernel at any finding; otherwise races, uninitialised reads and overflows
    are noted and the kernel goes on.

    sampled_blocks: run so many blocks of each launch instead of all: the first, the last, those where an index
    of 32 bits wraps, and some between. In checked mode a tensor of 256 MB or more takes memory only where it is
    touched, so that `torch.empty` at a problem's full shape shows an index overflow on a small machine.

    devices: a tensor says that it lies on cuda, and checked mode tells of kernels that touch memory of which it is certain
    that it is the host's: made without naming a GPU and never moved to it. Otherwise tensors are the CPU's and the GPU's.

    Blocks run one after another, unless one waits for others: where its threads read the same values again and again, by
    atomics or volatile reads, as many blocks as the target runs at once take turns. Checked mode proves a deadlock: every
    thread is back in a state in which it was, and nobody has written meanwhile. Fast mode does not see what is written, so
    there such a kernel does not end: limit the process's time.

    One within another begins without launches and findings; at its end the outer one's settings hold again.

    Raises: ValueError for a mode, an order or a target that there is not; RuntimeError when the system does not give
    checked mode its address space.
    """
    for what, given, known in (
        ("mode", mode, get_args(Mode)),
        ("order", order, _ORDERS),
        ("target", target, TARGETS),
    ):
        if given not in known:
            raise ValueError(f"{what} {given!r} is not known: {', '.join(known)}")
    reset()
    settings = _Settings(
        guarded,
        skip_kernels,
        skip_kernel,
        exited_threads_pass_barriers,
        mode,
        order,
        seed,
        fail_fast,
        sampled_blocks,
    )
    with contextlib.ExitStack() as stack:
        stack.enter_context(_applied(settings))
        stack.enter_context(_devices_told(mode == "checked" and devices))
        stack.enter_context(standing_for(TARGETS[target]))
        stack.enter_context(rebound(torch.utils.cpp_extension.load_inline, load_inline))
        stack.enter_context(mock.patch.object(torch.utils.cpp_extension, "load_inline", load_inline))
        for name, replacement in _patches(TARGETS[target]).items():
            stack.enter_context(mock.patch.object(torch.cuda, name, replacement))
        stack.enter_context(mock.patch.object(DeviceContext, "__torch_function__", device_context))
        stack.enter_context(mock.patch.object(torch, "Generator", Generator))
        stack.enter_context(_functions(devices))
        yield


@contextlib.contextmanager
def rebound(old: Any, new: Any, *others: types.ModuleType) -> Iterator[None]:
    """Modules that have imported `load_inline` by name before mean the new one too; `__main__` and `others` by any name."""
    whole = [m for m in (sys.modules.get("__main__"), *others) if m is not None]
    named = [(vars(m), "load_inline") for m in list(sys.modules.values()) if hasattr(m, "__dict__")]
    named += [(vars(m), name) for m in whole for name in list(vars(m))]
    places = [(names, name) for names, name in named if names.get(name) is old]
    for names, name in places:
        names[name] = new
    try:
        yield
    finally:
        for names, name in places:
            names[name] = old


_active: list[CudaIsCpu] = []


@contextlib.contextmanager
def _functions(devices: bool) -> Iterator[None]:
    """Torch's functions on the CPU; one mode, however often the emulator is installed."""
    if _active:
        with said_truthfully(_active[-1], devices):
            yield
        return
    functions = CudaIsCpu()
    functions.truthful = devices
    _active.append(functions)
    try:
        with functions:
            yield
    finally:
        _active.pop()


@contextlib.contextmanager
def without_devices() -> Iterator[None]:
    """Inside `installed()`: all tensors are the CPU's again, and nothing is noted of where they lie."""
    with _devices_told(False), said_truthfully(_active[-1], False):
        yield


@contextlib.contextmanager
def guarding() -> Iterator[None]:
    """Inside `installed(guarded=False)`: tensors made in this block are guarded, those made after it are not.

    Tensors say that they lie on cuda.

    Guarding costs 30 times the time of a plain allocation, so that a caller may keep it to the candidate.
    """
    with _applied(attrs.evolve(_settings[-1], guarded=True)), said_truthfully(_active[-1], True):
        yield
