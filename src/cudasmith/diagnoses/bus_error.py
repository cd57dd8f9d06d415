"""DG703."""

from __future__ import annotations

import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate


class BusError(Diagnosis):
    """A page of memory that should be backed by a file or a device was not there.

    Mostly /dev/shm is full: workers of a DataLoader pass tensors through it, and containers give it 64
    MB. Or a mapped file became shorter while it was used: a library that was built again while a process
    had it loaded, a full disk.

    Start containers with --shm-size=8g or --ipc=host, use fewer workers, look at `df -h /dev/shm`, and
    build no extension while another process runs it.
    """

    code = "DG703"
    name = "bus-error"
    CASES = (Case("end_bus_error", returncode=135), Case("end_bus_error", returncode=-7))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        at = ended_by(log, signal.SIGBUS, "Bus error")
        if at is None:
            return None
        return Hit(
            "a mapped file or shared memory went away under the process",
            at,
            "look at `df -h /dev/shm` (containers: --shm-size=8g) and build no library that a running process has loaded",
            span=user_frame(log, at, candidate),
        )
