"""The parent's ends of a worker's pipes: bounded, and never blocking."""

from __future__ import annotations

import json
import os
import re
import selectors
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from cudasmith.workers.result import Frame

PRINT_BYTES = 1 << 20  # kept of stdout and of stderr, each: half from the start, half from the end
EVENTS_KEPT = 10_000
CHUNK = 1 << 16
_STACK_LINE = re.compile(r'\s*File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')


class Bounded:
    """Bytes of which the first and the last half-megabyte are kept."""

    def __init__(self, limit: int = PRINT_BYTES) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        surplus = len(self._tail) - self._half
        if surplus > self._half:  # cut rarely: deleting from the front moves the rest
            del self._tail[:surplus]
            self._dropped += surplus

    def text(self) -> str:
        surplus = max(len(self._tail) - self._half, 0)
        dropped = self._dropped + surplus
        middle = f"\n[... {dropped} bytes not kept ...]\n" if dropped else ""
        return self._head.decode(errors="replace") + middle + self._tail[surplus:].decode(errors="replace")


class Channel:
    """The JSON lines of a child: events as they come, the result or error, and a stack if it wrote one."""

    def __init__(self, on_event: Callable[[dict[str, Any]], None] | None) -> None:
        self._on_event = on_event
        self._rest = bytearray()
        self._stack: list[Frame] = []
        self.events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)
        self.entered = False
        self.final: dict[str, Any] | None = None

    def add(self, data: bytes) -> None:
        self._rest += data
        if b"\n" not in data:
            return
        *lines, rest = bytes(self._rest).split(b"\n")
        self._rest = bytearray(rest)
        for line in lines:
            self._line(line)

    def _line(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:  # not ours: faulthandler writes plain text here
            match = _STACK_LINE.match(line.decode(errors="replace"))
            if match:
                self._stack.append(Frame(match["file"], int(match["line"]), match["function"]))
            return
        if "entered" in message:
            self.entered = True
        elif "event" in message:
            self.events.append(message["event"])
            if self._on_event:
                self._on_event(message["event"])
        else:
            self.final = message

    @property
    def stack(self) -> tuple[Frame, ...]:
        """Outermost first; faulthandler writes the innermost first."""
        return tuple(reversed(self._stack))


class Pipes:
    """Reads several pipes as data comes, each into its sink."""

    def __init__(self, sinks: Mapping[int, Callable[[bytes], None]]) -> None:
        self._selector = selectors.DefaultSelector()
        for fd, sink in sinks.items():
            os.set_blocking(fd, False)
            self._selector.register(fd, selectors.EVENT_READ, sink)

    def read(self, timeout_s: float) -> bool:
        """Take what is there, waiting at most `timeout_s` for the first bytes. True if any came.

        One chunk of each pipe a call, so that a child that prints without end cannot keep us here.
        """
        got = False
        for key, _ in self._selector.select(timeout_s):
            data = os.read(key.fd, CHUNK)
            if data:
                key.data(data)
                got = True
            else:
                self._selector.unregister(key.fd)
        return got

    @property
    def open(self) -> bool:
        return bool(self._selector.get_map())

    def close(self) -> None:
        self._selector.close()
