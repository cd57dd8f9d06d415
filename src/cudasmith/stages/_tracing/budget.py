"""A limit on processor time: reasoning about symbolic sizes can take minutes on deep convolutional nets."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


class TooLong(BaseException):
    """The budget is used up. No Exception, so that no handler on the way takes it for its own."""


@contextlib.contextmanager
def cpu_budget(seconds: float) -> Iterator[None]:
    """Raise TooLong in the body once it has used `seconds` of processor time.

    Processor time, not wall-clock: what is captured must not depend on what else the machine does.
    Outside of the main thread, or without interval timers, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TooLong(f"reasoning about free sizes took more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
