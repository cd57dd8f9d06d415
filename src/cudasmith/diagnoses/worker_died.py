"""DG711."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_DIED = (
    r"DataLoader worker \(pid(?:\(s\))? (?P<pid>[\d, ]+)\) "
    r"(?:is killed by signal: (?P<signal>[\w ]+)|exited unexpectedly)"
)
_WHY = {
    "Killed": "the host ran out of memory: use fewer workers or smaller batches",
    "Bus error": "/dev/shm is full: start the container with --shm-size=8g, or use fewer workers",
    "Segmentation fault": "native code crashed in the worker: no CUDA and no extension belongs into the dataset",
}


class WorkerDied(Diagnosis):
    """A worker process of a DataLoader ended before it gave its batch.

    By "Killed" the host's memory ran out; by "Bus error" the shared memory did; by "Segmentation fault"
    native code in the dataset crashed.

    Set num_workers=0 to see the error itself in the main process.
    """

    code = "DG711"
    name = "worker-died"
    CASES = (Case("end_worker_killed", says="Killed", line=15),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError", rf"{_DIED}.*")
        if found is None:
            return None
        first = next((r for r in log.raised if "is killed by signal" in r.text), found[0])
        how = next((s for s in (*_WHY, "Aborted") if s in first.text), None)
        return hit_raised(
            first,
            "a worker of the DataLoader ended" + (f": {how}" if how else " unexpectedly"),
            _WHY.get(how or "", "set num_workers=0: the worker's own error then shows"),
            span=user_frame(log, found[0].at, candidate) or user_frame(log, first.at, candidate),
        )
