"""What the verify worker could not do is told as an error of its own, not as ours."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cudasmith.stages._verify import session
from cudasmith.store import root
from cudasmith.store.entry import StoreError, unusable
from cudasmith.workers import WorkerError, WorkerResult, WorkerStatus


def test_a_cache_that_cannot_be_used_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    error = WorkerError("StoreError", str(unusable(root(), "it cannot be written")), ())
    failed = WorkerResult(WorkerStatus.ERROR, error=error)
    monkeypatch.setattr(session, "run_worker", lambda *args, **kwargs: failed)
    monkeypatch.setattr(session, "dumps", lambda request: "")
    monkeypatch.setattr(session.attrs, "evolve", lambda request, skip: request)
    one = session.Session(SimpleNamespace(cases=(1,)), {}, 10.0, 0)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="it cannot be written") as caught:
        one.run()
    assert caught.value.code == "CSB010" and caught.value.exit_code == 4
