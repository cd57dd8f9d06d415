"""Executors: where a candidate runs. Both look the same to the code that judges."""

from __future__ import annotations

import contextlib
import re
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import torch
import torch.utils.cpp_extension as cpp_extension

from cudasmith.hostapi.judge import LINKERS_WORDS
from cudasmith.model import BuildStatus, CaseStatus, Finding

CUDA_ERROR = re.compile(r"CUDA error|CUDA_ERROR|cudaError|illegal memory access|unspecified launch failure")


@attrs.frozen
class BuildEvent:
    """One call of load_inline. `log` holds the compiler's words when it failed."""

    status: BuildStatus
    seconds: float
    log: str = ""
    route: str = ""
    module: str = ""  # the name it was given


@attrs.frozen
class Executor:
    """`launches` counts kernel launches so far, or is None where nobody counts. `tool` is the compiler.

    Inside `fenced()` fresh memory holds NaN; on the emulator it also ends at an inaccessible page.
    """

    name: str
    torch_device: str
    device: str
    tool: str
    launches: Callable[[], int] | None
    wait: Callable[[], None]
    fenced: Callable[[], contextlib.AbstractContextManager[None]]  # around all memory of the candidate
    explain: Callable[[BaseException], tuple[CaseStatus, tuple[Finding, ...]]]


@contextlib.contextmanager
def executor(
    name: str, workdir: Path, on_build: Callable[[BuildEvent], None], *, builder: str = "fast"
) -> Iterator[Executor]:
    """The executor called `name`, for as long as the block lasts. Each load_inline call is reported.

    `builder`: on a GPU, "fast" lets the fast builder serve what it can, "torch" leaves torch's own in place.

    Raises: RuntimeError when this machine cannot run it.
    """
    with contextlib.ExitStack() as stack:
        routes: list[str] = []
        made = _gpu(stack, builder, routes) if name == "gpu" else _emulator(stack)
        stack.enter_context(builds_reported(on_build, routes))
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        yield made


@contextlib.contextmanager
def poisoned() -> Iterator[None]:
    """Fresh memory from torch (Python or C++) holds NaN, or the largest integer, never old results."""
    torch.utils.deterministic.fill_uninitialized_memory = True
    # the public function imports torch._inductor: 3 s, and refused where torch.cuda is emulated
    torch._C._set_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch._C._set_deterministic_algorithms(False, warn_only=False)


def _emulator(stack: contextlib.ExitStack) -> Executor:
    from cudasmith import emulator
    from cudasmith.hostapi.compiler import find_compiler

    stack.enter_context(emulator.installed(guarded=False, devices=False))
    # tensors are small here, and where other work keeps the cores busy, torch's threads wait for each other
    stack.callback(torch.set_num_threads, torch.get_num_threads())
    torch.set_num_threads(1)
    described = f"CPU emulator ({find_compiler()})"
    return Executor(
        "emulator",
        "cpu",
        described,
        described,
        lambda: len(emulator.launches()),
        lambda: None,
        emulator.guarding,
        _explain_emulator,
    )


def _gpu(stack: contextlib.ExitStack, builder: str, routes: list[str]) -> Executor:
    from cudasmith.gpu import extension

    if not torch.cuda.is_available():
        raise RuntimeError("torch sees no CUDA GPU")
    if builder == "fast":
        major, minor = torch.cuda.get_device_capability()
        stack.enter_context(extension.installed(f"sm_{major}{minor}", routes.append))
    name = torch.cuda.get_device_name()
    tool = f"nvcc at {cpp_extension.CUDA_HOME}"
    return Executor("gpu", "cuda:0", name, tool, None, torch.cuda.synchronize, poisoned, _explain_gpu)


def _explain_emulator(error: BaseException) -> tuple[CaseStatus, tuple[Finding, ...]]:
    from cudasmith import emulator

    if isinstance(error, emulator.EmulatorFault):
        return CaseStatus.CUDA_FAULT, (error.finding,)
    return CaseStatus.REFUSED, ()


def _explain_gpu(error: BaseException) -> tuple[CaseStatus, tuple[Finding, ...]]:
    return (CaseStatus.CUDA_FAULT if CUDA_ERROR.search(str(error)) else CaseStatus.REFUSED), ()


@contextlib.contextmanager
def builds_reported(on_build: Callable[[BuildEvent], None], routes: list[str]) -> Iterator[None]:
    """Wrap load_inline (any), so that a build error is known even when the file swallows it.

    `routes`: where the builder below has said how each call went.
    """
    original = cpp_extension.load_inline

    def load_inline(*args: Any, **kwargs: Any) -> Any:
        start = time.monotonic()

        def told(status: BuildStatus, log: str = "") -> None:
            name = str(kwargs.get("name", args[0] if args else ""))
            on_build(BuildEvent(status, time.monotonic() - start, log, "".join(routes[-1:]), name))

        with alarm_paused():
            try:
                module = original(*args, **kwargs)
            except BaseException as error:
                told(_kind(error), _log(error))
                raise
        told(BuildStatus.OK)
        return module

    cpp_extension.load_inline = load_inline
    try:
        yield
    finally:
        cpp_extension.load_inline = original


def _kind(error: BaseException) -> BuildStatus:
    if getattr(error, "unsupported", ""):
        return BuildStatus.NO_TOOLCHAIN
    if isinstance(error, ImportError) or getattr(error, "log", "").startswith("ImportError: "):
        return BuildStatus.IMPORT_ERROR
    return BuildStatus.LINK_ERROR if LINKERS_WORDS.search(str(error)) else BuildStatus.COMPILE_ERROR


def _log(error: BaseException) -> str:
    text = "".join(traceback.format_exception_only(error)).strip()
    return text if str(error).strip() else "".join(traceback.format_exception(error))


@contextlib.contextmanager
def alarm_paused() -> Iterator[None]:
    """Time spent here does not count towards the limit of a case."""
    import signal

    left = signal.getitimer(signal.ITIMER_REAL)[0]
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
