"""The store: entries are whole or absent, whatever happens to the processes that build them."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from cudasmith.store import published


def test_a_failed_build_leaves_nothing_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(scratch: Path) -> None:
        raise RuntimeError("no")

    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))
    with pytest.raises(RuntimeError, match="no"):
        published("things", "header", fail)
    assert [p.name for p in (tmp_path / "things").iterdir()] == ["header.lock"]


def _publish(log: Path) -> None:
    def write(scratch: Path) -> None:
        with log.open("a") as handle:
            handle.write("built\n")
        (scratch / "header").write_text("whole")

    assert (published("things", "header", write).path / "header").read_text() == "whole"


def test_two_processes_build_the_same_entry_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_publish, args=(tmp_path / "log",)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert (tmp_path / "log").read_text() == "built\n"
