"""Progress on stderr: one line that changes on a terminal, one line per stage elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TextIO


class Progress:
    """Context manager. `stage(name, what)` may be called any number of times."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self.last = ""
        self.start = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Make room for a page."""
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def stage(self, name: str, what: str = "") -> None:
        """Show what is being done now."""
        text = f"{name} {what}".strip()
        if self.live:
            self.stream.write(f"\r\x1b[K[{time.monotonic() - self.start:5.1f} s] {text[:100]}")
        elif name != self.last:
            self.stream.write(f"cudasmith: {text}\n")
        self.last = name
        self.stream.flush()
