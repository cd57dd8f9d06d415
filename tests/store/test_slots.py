"""Slots: builds of all processes together stay within memory and cores, and nobody waits forever."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cudasmith.store import clear, memory, slot, slots
from cudasmith.store.entry import lock_file

MB = 1 << 20
CONTEXT = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, on a machine of 8 cores and 1000 MB whatever runs there."""
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MAX_JOBS", raising=False)
    monkeypatch.setattr(memory, "cores", lambda: 8)
    monkeypatch.setattr(memory, "free_bytes", lambda: 1000 * MB + slots.SPARE_BYTES)
    monkeypatch.setattr(slots, "LOOK_S", 0.005)
    return tmp_path / "cache"


def soon(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def hold(cost: int, inside: Path) -> None:
    with slot(cost):
        inside.touch()
        time.sleep(60)


def holder(cost: int, inside: Path) -> multiprocessing.process.BaseProcess:
    """A process that runs a build of that cost until it is killed."""
    process = CONTEXT.Process(target=hold, args=(cost, inside))
    process.start()
    return process


def killed(process: multiprocessing.process.BaseProcess) -> None:
    process.kill()
    process.join()


class Waits(Exception):
    """Carries what the build would wait for."""


def waits_for(cost: int) -> str:
    """What a build of that cost would wait for now, or empty."""

    def told(text: str) -> None:
        raise Waits(text)

    try:
        with slot(cost, told):
            return ""
    except Waits as waits:
        return str(waits)


def count_inside(folder: Path, number: int, most: Path) -> None:
    with slot(300 * MB):
        (folder / str(number)).touch()
        until = time.monotonic() + 1
        while len(list(folder.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.01)  # a busy machine may take its time to start the others
        with most.open("a") as handle:
            handle.write(f"{len(list(folder.iterdir()))}\n")
        time.sleep(0.05)
        (folder / str(number)).unlink()


def test_processes_together_stay_within_memory(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    arguments = [(tmp_path / "inside", n, tmp_path / "most") for n in range(12)]
    processes = [CONTEXT.Process(target=count_inside, args=a) for a in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    counts = [int(line) for line in (tmp_path / "most").read_text().split()]
    assert [p.exitcode for p in processes] == [0] * 12 and len(counts) == 12
    assert 1 < max(counts) <= 3  # on a busy machine three may never meet


def test_what_is_waited_for_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = [holder(400 * MB, tmp_path / name) for name in "ab"]
    assert soon(lambda: (tmp_path / "a").exists() and (tmp_path / "b").exists())
    assert waits_for(100 * MB) == ""
    assert waits_for(300 * MB) == "waiting for memory: 2 other builds run"
    monkeypatch.setenv("MAX_JOBS", "2")
    assert waits_for(100 * MB) == "waiting for a core: 2 other builds run"
    for process in running:
        killed(process)


def test_one_build_always_runs_however_large() -> None:
    assert waits_for(100_000 * MB) == ""


def test_a_process_that_dies_gives_its_slot_back(tmp_path: Path, place: Path) -> None:
    process = holder(900 * MB, tmp_path / "a")
    assert soon((tmp_path / "a").exists) and waits_for(200 * MB)
    killed(process)
    assert waits_for(900 * MB) == ""
    assert [file.name for file in place.glob("slots-*/*")] == [slots.GATE]


def test_a_large_build_is_not_overtaken_by_small_ones(tmp_path: Path) -> None:
    running = holder(500 * MB, tmp_path / "running")
    assert soon((tmp_path / "running").exists)
    large = holder(900 * MB, tmp_path / "large")
    assert soon(lambda: waits_for(10 * MB) == "waiting for builds that came before")
    killed(running)
    assert soon((tmp_path / "large").exists)
    killed(large)


def test_one_that_is_stopped_in_the_line_does_not_hold_the_others_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = holder(500 * MB, tmp_path / "running")
    assert soon((tmp_path / "running").exists)
    stopped = holder(900 * MB, tmp_path / "stopped")
    assert soon(lambda: waits_for(10 * MB) != "")
    os.kill(stopped.pid or 0, signal.SIGSTOP)
    killed(running)
    monkeypatch.setattr(slots, "STALLED_S", 0.2)
    told: list[str] = []
    with slot(10 * MB, told.append):
        assert set(told) == {"waiting for builds that came before"}
    killed(stopped)


def test_threads_of_one_process_count_one_by_one() -> None:
    inside, counts = [0], []

    def work() -> None:
        with slot(400 * MB):
            inside[0] += 1
            counts.append(inside[0])
            time.sleep(0.02)
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(counts) == 2 and len(counts) == 6


def test_a_cache_deleted_while_builds_wait_keeps_them_going(tmp_path: Path, place: Path) -> None:
    running = holder(900 * MB, tmp_path / "running")
    assert soon((tmp_path / "running").exists)
    waiting = holder(900 * MB, tmp_path / "waiting")
    assert soon(lambda: len(list(place.glob("slots-*/0*"))) == 2)
    shutil.rmtree(place)
    assert soon((tmp_path / "waiting").exists)
    for process in (running, waiting):
        killed(process)
    assert waits_for(900 * MB) == ""


def test_files_from_the_future_and_from_the_past_bind_nobody(place: Path) -> None:
    with slot(MB):
        folder = next(place.glob("slots-*"))
    for name, when in (("gate.lock", 2**32), ("000000007.lock", 2**32), ("000000001.lock", 1)):
        (folder / name).write_text("1000000000000" if name[0] == "0" else "")
        os.utime(folder / name, (when, when))
    assert waits_for(900 * MB) == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written_bounds_nothing(place: Path) -> None:
    place.mkdir()
    place.chmod(0o500)
    try:
        assert waits_for(900 * MB) == ""
    finally:
        place.chmod(0o700)


def test_a_cache_that_cannot_be_made_bounds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", "/proc/nope")
    assert waits_for(900 * MB) == ""


def test_a_worker_of_a_build_that_has_its_slot_takes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_JOBS", "1")
    with slot(MB):
        monkeypatch.setenv(*next(iter(slots.held_by_parent().items())))
        assert waits_for(900 * MB) == ""


def test_clearing_leaves_the_slots_of_live_builds_alone(place: Path) -> None:
    with slot(900 * MB):
        clear()
        assert waits_for(900 * MB) == "waiting for memory: 1 other build runs"
    clear()
    assert list(place.iterdir()) == []


def test_a_lock_whose_file_was_removed_meanwhile_is_taken_on_a_new_one(tmp_path: Path) -> None:
    path, order = tmp_path / "x.lock", []

    def second() -> None:
        with lock_file(path, lambda: order.append("waits")):
            order.append("has it")

    with lock_file(path):
        thread = threading.Thread(target=second)
        thread.start()
        assert soon(lambda: "waits" in order)
        path.unlink()
    thread.join()
    assert order[-1] == "has it" and path.exists()
