"""What came of a worker, as a value."""

from __future__ import annotations

import enum
import signal
from typing import Any

import attrs

from cudasmith.model.errors import CudasmithError


class WorkerStatus(str, enum.Enum):
    OK = "OK"
    ERROR = "ERROR"  # the entry function raised
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"
    CRASHED = "CRASHED"  # a signal, or an exit without a result


@attrs.frozen
class Frame:
    """One level of a Python stack."""

    file: str
    line: int
    function: str
    text: str = ""


@attrs.frozen
class WorkerError:
    """The exception that ended the entry function. `frames` run from the outermost to the raising one.

    `told`: the same as the caller would have got it, where it is one for the user.
    """

    type: str
    message: str
    frames: tuple[Frame, ...] = ()
    told: CudasmithError | None = None


@attrs.frozen
class WorkerResult:
    """The end of one worker. `value` is set only for OK, `error` only for ERROR.

    `stack` is where the child's main thread was when it timed out, outgrew its memory or crashed
    (outermost first; empty where the platform cannot tell). `entered`: start-up was over, the entry function began. `stdout` and `stderr` are what the child
    and its children printed, cut in the middle when long.
    """

    status: WorkerStatus
    value: Any = None
    error: WorkerError | None = None
    signal: int | None = None
    returncode: int | None = None
    events: tuple[dict[str, Any], ...] = ()
    stack: tuple[Frame, ...] = ()
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0
    entered: bool = False

    @property
    def last_event(self) -> dict[str, Any] | None:
        """The last thing the child said it was doing."""
        return self.events[-1] if self.events else None

    def failure(self, worker: str) -> Exception:
        """What to raise for an ERROR: what the entry function has to say to the user, else that it is our own mistake."""
        if self.error is not None and self.error.told is not None:
            return self.error.told
        return AssertionError(f"{worker} worker failed: {self.error}\n{self.stderr}")

    @property
    def death(self) -> str:
        """How the child ended, in words: "segmentation fault", "exit code 3"."""
        if self.signal is None:
            return f"exit code {self.returncode}"
        return SIGNAL_WORDS.get(self.signal) or f"signal {self.signal}"


SIGNAL_WORDS = {
    int(signal.SIGSEGV): "segmentation fault",
    int(signal.SIGABRT): "abort",
    int(signal.SIGFPE): "arithmetic fault (division by zero?)",
    int(signal.SIGILL): "illegal instruction",
    int(signal.SIGKILL): "killed (out of memory?)",
    int(signal.SIGTERM): "terminated",
} | ({int(signal.SIGBUS): "bus error"} if hasattr(signal, "SIGBUS") else {})
