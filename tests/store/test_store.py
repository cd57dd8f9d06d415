"""The store: entries are whole or absent, whatever happens to the processes that build them."""

from __future__ import annotations

import errno
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cudasmith import store
from cudasmith.model import CudasmithError
from cudasmith.store import StoreError, published


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache with blanks é"))
    return tmp_path / "cache with blanks é"


def writer(text: str) -> Callable[[Path], None]:
    def write(scratch: Path) -> None:
        (scratch / "file").write_text(text)

    return write


def read(key: str, text: str = "new") -> str:
    return (published("things", key, writer(text)).path / "file").read_text()


def test_a_second_call_finds_the_entry() -> None:
    assert published("things", "a", writer("one")).fresh
    again = published("things", "a", writer("two"))
    assert not again.fresh and (again.path / "file").read_text() == "one"


def test_a_failed_build_leaves_nothing(place: Path) -> None:
    def fail(scratch: Path) -> None:
        (scratch / "half").write_text("half")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        published("things", "header", fail)
    assert [p.name for p in (place / "things").iterdir()] == ["header.lock"]


def test_a_truncated_entry_is_built_again() -> None:
    entry = published("things", "a", writer("whole")).path
    (entry / "file").write_text("wh")
    assert read("a", "whole") == "whole"


def test_a_missing_file_is_built_again() -> None:
    entry = published("things", "a", writer("whole")).path
    (entry / "file").unlink()
    assert read("a", "again") == "again"


def test_a_deleted_store_is_made_again(place: Path) -> None:
    read("a", "one")
    shutil.rmtree(place)
    assert read("a", "two") == "two"


def _publish(log: Path) -> None:
    def write(scratch: Path) -> None:
        with log.open("a") as handle:
            handle.write("built\n")
        time.sleep(0.2)
        (scratch / "file").write_text("whole")

    assert (published("things", "a", write).path / "file").read_text() == "whole"


def test_eight_processes_build_an_entry_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_publish, args=(tmp_path / "log",)) for _ in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    assert (tmp_path / "log").read_text() == "built\n"


def _publish_slowly() -> None:
    def write(scratch: Path) -> None:
        for i in range(50):
            (scratch / f"part{i}").write_text("x" * 1000)
            time.sleep(0.002)
        (scratch / "file").write_text("slow")

    published("things", "slow", write)


def test_a_build_killed_at_any_moment_leaves_a_whole_entry_or_none(place: Path) -> None:
    context = multiprocessing.get_context("fork")
    moments = random.Random(0)
    for _ in range(10):
        process = context.Process(target=_publish_slowly)
        process.start()
        time.sleep(moments.uniform(0, 0.15))
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        entry = place / "things" / "slow"
        assert not entry.exists() or (entry / "file").read_text() == "slow"
        shutil.rmtree(entry, ignore_errors=True)
    assert read("slow", "right") == "right"
    assert [p.name for p in (place / "things").iterdir() if ".scratch-" in p.name] == []


def test_a_full_disk_is_one_error_with_a_remedy(place: Path) -> None:
    def full(scratch: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(StoreError) as caught:
        published("things", "a", full)
    assert "the disk is full" in caught.value.message and "cache clear" in str(caught.value.help)
    assert [p.name for p in (place / "things").iterdir()] == ["a.lock"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_store_is_one_error_with_a_remedy(place: Path) -> None:
    place.mkdir(parents=True)
    place.chmod(0o500)
    try:
        with pytest.raises(StoreError) as caught:
            published("things", "a", writer("x"))
    finally:
        place.chmod(0o700)
    assert "CUDASMITH_CACHE" in str(caught.value.help)


def test_a_place_that_is_no_directory_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "file"))
    with pytest.raises(StoreError) as caught:
        published("things", "a", writer("x"))
    assert "CUDASMITH_CACHE" in str(caught.value.help)


def test_the_entry_used_longest_ago_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, key in enumerate("abc"):
        entry = published("things", key, writer("x" * 1000)).path
        os.utime(entry / "entry.json", (number, number))
    published("things", "a", writer("unused"))  # its use is now
    monkeypatch.setenv("CUDASMITH_CACHE_BYTES", "3500")
    read("d", "x" * 1000)
    left = {key for key in "abcd" if not published("things", key, writer("rebuilt")).fresh}
    assert "b" not in left and {"a", "d"} <= left


def test_a_clock_that_went_backwards_changes_no_content() -> None:
    entry = published("things", "a", writer("right")).path
    os.utime(entry / "entry.json", (2**32, 2**32))  # the year 2106
    assert read("a") == "right"


def test_info_and_clear_count_the_entries(place: Path) -> None:
    read("a", "1")
    read("b", "22")
    usage = store.usage()
    assert usage.kinds["things"][0] == 2 and usage.size_bytes >= 3 and usage.path == place
    assert store.clear().entries == 2
    assert store.usage().entries == 0 and list(place.iterdir()) == []


def test_a_place_that_cannot_be_made_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", "/proc/nope")
    with pytest.raises(StoreError) as caught:
        published("things", "a", writer("x"))
    assert "CUDASMITH_CACHE" in str(caught.value.help)


def test_the_use_of_a_place_that_is_no_directory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "file"))
    with pytest.raises(StoreError):
        store.usage()


def test_waiting_for_one_that_builds_the_same_is_told_and_can_be_ended(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    process = context.Process(target=_publish_and_hold, args=(tmp_path / "begun",))
    process.start()
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)

    def told(text: str) -> None:
        raise InterruptedError(text)

    with pytest.raises(InterruptedError, match="waiting for another process that builds the same"):
        published("things", "a", writer("x"), told)
    process.kill()
    process.join()
    assert read("a") == "new"


def _publish_and_hold(begun: Path) -> None:
    def write(scratch: Path) -> None:
        begun.touch()
        time.sleep(60)

    published("things", "a", write)


def test_a_place_in_ones_home_is_there_and_nobodys_home_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDASMITH_CACHE", "~/mine")
    assert read("a", "text") == "text" and (tmp_path / "mine" / "things").is_dir()
    monkeypatch.setenv("CUDASMITH_CACHE", "~no-such-user/mine")
    with pytest.raises(CudasmithError, match="nobody's home is ~no-such-user"):
        read("a")
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_relative_place_is_the_same_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDASMITH_CACHE", "mine")
    assert store.root() == tmp_path / "mine"


@pytest.mark.parametrize("value", ["5GB", "-1", "1.5", " ", "²"])
def test_a_number_that_is_none_is_told_and_counts_as_not_set(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAX_JOBS", raising=False)
    assert store.ignored_settings() == []
    monkeypatch.setenv("CUDASMITH_CACHE_BYTES", value)
    monkeypatch.setenv("MAX_JOBS", value)
    assert store.limit_bytes() == 10 << 30 and store.most_at_once() == store.cores()
    told = store.ignored_settings()
    assert [text.partition("=")[0] for text in told] == ["MAX_JOBS", "CUDASMITH_CACHE_BYTES"]
    monkeypatch.setenv("CUDASMITH_CACHE_BYTES", "0")
    monkeypatch.setenv("MAX_JOBS", "3")
    assert (store.ignored_settings(), store.limit_bytes(), store.most_at_once()) == ([], 0, 3)


@pytest.mark.parametrize("place", ["/proc/nope", "/proc/nope/deeper"])
def test_the_use_of_a_place_that_cannot_be_made_is_refused(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", place)
    with pytest.raises(StoreError) as caught:
        store.usage()
    assert caught.value.exit_code == 4 and caught.value.where == place
    assert "cannot be made in /proc" in caught.value.message and "CUDASMITH_CACHE" in str(caught.value.help)


def test_the_use_of_a_place_that_is_not_there_yet_is_nothing_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "a" / "b"))
    assert store.usage().entries == 0 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("blanks", [" ", "\t ", "\n"])
def test_a_place_of_blanks_is_wrong_usage(blanks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", blanks)
    with pytest.raises(CudasmithError, match="its name is blanks") as caught:
        store.usage()
    assert caught.value.exit_code == 2 and "unset CUDASMITH_CACHE" in str(caught.value.help)


@pytest.mark.parametrize("value", ["-1", "abc"])
def test_a_wrong_number_is_told_with_its_variable_and_what_is_right(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAX_JOBS", raising=False)
    monkeypatch.setenv("CUDASMITH_CACHE_BYTES", value)
    (told,) = store.ignored_settings()
    assert told.startswith(f"CUDASMITH_CACHE_BYTES={value!r} is no whole number from 0 up")
    assert "how many bytes the cache may hold, for example CUDASMITH_CACHE_BYTES=5000000000" in told
