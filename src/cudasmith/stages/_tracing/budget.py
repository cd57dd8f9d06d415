"""A limit on processor time: reasoning about symbolic sizes can take minutes on deep convolutional nets."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

AGAIN_S = 0.05  # Python drops what is raised in a finalizer or a weak reference's callback: ask again


class TooLong(BaseException):
    """The budget is used up. No Exception, so that no handler on the way takes it for its own."""


@contextlib.contextmanager
def cpu_budget(seconds: float) -> Iterator[None]:
    """Raise TooLong in the body once it has used `seconds` of processor time.

    An end that comes later than that raises too, even where the first exception was dropped on its way.
    Processor time, not wall-clock: what is captured must not depend on what else the machine does.
    Outside of the main thread, or without interval timers, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    fired = False

    def stop(number: int, frame: object) -> None:
        nonlocal fired
        fired = True
        if not isinstance(sys.exc_info()[1], TooLong):  # else it is on its way up already
            raise TooLong(told)

    told = f"reasoning about free sizes took more than {seconds:g} s"
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if fired:
        raise TooLong(told)
