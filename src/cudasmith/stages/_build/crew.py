"""Builds side by side in threads, ended together when we are interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from cudasmith.store import most_at_once
from cudasmith.workers.command import POLL_S, end_commands
from cudasmith.workers.process import end_workers

T = TypeVar("T")
Say = Callable[[str], None]


class _Ended(Exception):
    """Raised in a thread that waits, after an interrupt of the main one."""


def side_by_side(jobs: Sequence[tuple[str, Callable[[Say], T]]], say: Say) -> Iterator[T]:
    """The results of labelled jobs in their order, each when it is there; `say` is called by one thread at a time, for
    what is new only.

    What a job raises is raised here, after the others were ended.
    """
    teller = _Teller(say, len(jobs))
    with ThreadPoolExecutor(min(most_at_once(), len(jobs)) or 1) as pool:
        running = [pool.submit(teller.done_by, label, job) for label, job in jobs]
        try:
            for one in running:
                yield one.result()
        except BaseException:
            teller.ended = True
            end(running)
            raise


def end(running: Sequence[Future[T]]) -> None:
    """End what threads of this process run, until they are done: one between two commands is missed at the first time."""
    for one in running:
        one.cancel()
    while wait(running, POLL_S).not_done:
        end_commands()
        end_workers()


class _Teller:
    """Makes what several jobs say readable: by one at a time, with its name, and once."""

    def __init__(self, say: Say, count: int) -> None:
        self.say, self.count = say, count
        self.done, self.ended = 0, False
        self._lock = threading.Lock()

    def done_by(self, label: str, job: Callable[[Say], T]) -> T:
        last = ""

        def told(text: str) -> None:
            nonlocal last
            if self.ended:
                raise _Ended
            if text != last:
                last = text
                self._tell(f"{label}: {text}" if self.count > 1 else text)

        result = job(told)
        with self._lock:
            self.done += 1
        if self.count > 1:
            self._tell(f"{self.done} of {self.count} done")
        return result

    def _tell(self, text: str) -> None:
        with self._lock:
            self.say(text)
