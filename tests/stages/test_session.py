"""What a worker could not do is told as its own error, not as a mistake of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cudasmith.model import CudasmithError
from cudasmith.store.entry import ANOTHER, unusable
from cudasmith.workers import WorkerStatus, run_worker


def cannot_write(data: bytes, emit: Callable[[dict[str, Any]], None]) -> None:
    raise unusable(Path("/a/cache"), "it cannot be written")


def breaks(data: bytes, emit: Callable[[dict[str, Any]], None]) -> None:
    raise KeyError("ours")


def failure(entry: str, monkeypatch: pytest.MonkeyPatch) -> Exception:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    result = run_worker(f"test_session:{entry}", b"", timeout_s=60, memory_bytes=1 << 33)
    assert result.status is WorkerStatus.ERROR
    return result.failure("verify")


def test_a_cache_that_cannot_be_used_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    error = failure("cannot_write", monkeypatch)
    assert isinstance(error, CudasmithError)
    assert (error.code, error.exit_code) == ("CSB010", 4) and "it cannot be written" in error.message
    assert (error.where, error.help) == ("/a/cache", ANOTHER)


def test_a_mistake_of_ours_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    error = failure("breaks", monkeypatch)
    assert isinstance(error, AssertionError) and "KeyError" in str(error)
