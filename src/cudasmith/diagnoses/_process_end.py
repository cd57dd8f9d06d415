"""What diagnoses of process ends share: how the end by a signal is told."""

from __future__ import annotations

import re
import signal

from cudasmith.diagnoses._log import Log

# Python sees a signal as a negative number, a shell as 128 more.
_SHELL = 128


def ended_by(log: Log, number: signal.Signals, said: str) -> int | None:
    """The line that tells that the process ended by a signal, from 0; the end of the log where only its code does.

    `said`: a regular expression for the words of the shell and of faulthandler.
    """
    told = re.compile(
        rf"^(?:Fatal Python error: |Windows fatal exception: )(?:{said})"
        rf"|^(?:.*: line \d+: +\d+ )?(?:{said})(?:\s+\(core dumped\)|\s{{2,}}\S.*|\s*$)"
    )
    if (found := log.find(told)) is not None:
        return found[0]
    return len(log.lines) if log.returncode in (-number, _SHELL + number) else None
