"""stdin, stdout and stderr, whatever the shell made of them: closed, full, or a pipe whose reader went away."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

_NAMES = ("stdin", "stdout", "stderr")


class OutputLost(BaseException):
    """stdout takes nothing more. No Exception: no verb may take it for a failure of its own.

    `reason` is empty where the reader of a pipe has read enough.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Out(io.FileIO):
    """A descriptor that says once, with OutputLost or not at all, that it takes nothing; what comes then is dropped."""

    def __init__(self, descriptor: int, silent: bool) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.silent = silent
        self.lost = False

    def write(self, data: object, /) -> int:
        if not self.lost:
            try:
                return super().write(data)  # type: ignore[arg-type]
            except OSError as error:
                self.lost = True
                if not self.silent:
                    reason = "" if isinstance(error, BrokenPipeError) else error.strerror or str(error)
                    raise OutputLost(reason) from None
        return len(data)  # type: ignore[arg-type]


def guard() -> None:
    """Make the three streams of this process safe to use. Does nothing to streams that a test or a program put there.

    A closed stdin stays None: a verb that reads it says so.
    """
    _reserve()
    sys.stdout = _guarded(sys.stdout, 1, silent=False)
    sys.stderr = _guarded(sys.stderr, 2, silent=True)


def flush() -> None:
    """Raises: OutputLost when what was printed cannot be written."""
    with contextlib.suppress(ValueError):  # closed by its owner
        sys.stdout.flush()


def _reserve() -> None:
    """Put a descriptor where one of the three is closed, else the next file that is opened would take its number.

    What stands for stdout can only be read, so that to write is an error, as it is for the closed one.
    """
    for number in range(len(_NAMES)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)


def _guarded(stream: TextIO | None, descriptor: int, silent: bool) -> TextIO:
    """The stream on a descriptor, with its encoding; as it is where it is another's."""
    if stream is not None and not _is_own(stream, descriptor):
        return stream
    if stream is not None:
        stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Out(descriptor, silent)),
        encoding=getattr(stream, "encoding", "utf-8"),
        errors=getattr(stream, "errors", None) or ("backslashreplace" if silent else "strict"),
        line_buffering=silent or getattr(stream, "line_buffering", False),
        write_through=getattr(stream, "write_through", False),
    )


def _is_own(stream: TextIO, descriptor: int) -> bool:
    try:
        return type(stream) is io.TextIOWrapper and stream.fileno() == descriptor
    except (OSError, ValueError):
        return False
