"""Room: workers. One way to run Python work in a child process that cannot hurt its parent."""

from cudasmith.workers.result import Frame, WorkerError, WorkerResult, WorkerStatus
from cudasmith.workers.run import prepare_workers, run_worker

__all__ = ["Frame", "WorkerError", "WorkerResult", "WorkerStatus", "prepare_workers", "run_worker"]
