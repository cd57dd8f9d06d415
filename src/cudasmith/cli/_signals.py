"""Signals that ask the program to end become an exception, so that every `finally` and `with` runs."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_ASK_TO_END = tuple(getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n))


class Stopped(BaseException):
    """A signal asked us to end. No Exception, and no KeyboardInterrupt, which click would take for its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.exit_code = 128 + number


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise Stopped in the body at SIGINT, SIGTERM or SIGHUP; what is ignored (nohup) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    before = {s: signal.getsignal(s) for s in _ASK_TO_END if signal.getsignal(s) in usual}

    def stop(number: int, frame: FrameType | None) -> None:
        for other in before:  # a second signal must not cut the cleaning up short
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
