"""Folders among the temporary files: gone with their run, or, after a kill, with a later one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cudasmith.store import clear, remove_abandoned_folders, temporary_folder

OWNER = """
import signal
from cudasmith.store import temporary_folder
with temporary_folder("verify") as folder:
    (folder / "file").write_text("x")
    print(folder, flush=True)
    signal.pause()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def owner() -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_folder_goes_with_its_block(place: Path) -> None:
    with temporary_folder("build") as folder:
        assert folder.is_dir() and folder.parent == place
    assert not folder.exists()


@pytest.mark.parametrize("later", [clear, remove_abandoned_folders, None])
def test_a_folder_of_a_killed_run_goes_with_a_later_one_and_a_living_ones_stays(later) -> None:
    killed, abandoned = owner()
    living, used = owner()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert abandoned.exists()
    with temporary_folder("build") as own:
        if later is None:
            subprocess.run(
                [sys.executable, "-m", "cudasmith", "explain", "CS101"], check=True, capture_output=True
            )
        else:
            later()
        assert own.exists() and (used / "file").exists() and not abandoned.exists()
    living.kill()
    living.wait()


def test_what_is_not_ours_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user's, one without a lock (of another program or an older version), a link to somewhere."""
    unlocked, linked = place / "cudasmith-verify-1", place / "cudasmith-verify-2.locked"
    unlocked.mkdir()
    (place / "target").mkdir()
    linked.symlink_to(place / "target")
    remove_abandoned_folders()
    assert unlocked.exists() and linked.exists() and (place / "target").exists()
    others = place / "cudasmith-verify-3.locked"
    others.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: others.stat().st_uid + 1)
    remove_abandoned_folders()
    assert others.exists()


def test_a_folder_that_was_removed_before_it_had_its_lock_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import fcntl

    real = fcntl.flock
    removed: list[Path] = []

    def removes_once(handle: int, how: int) -> None:
        if not removed:
            removed.append(Path(f"/proc/self/fd/{handle}").readlink())
            removed[0].rmdir()
        real(handle, how)

    monkeypatch.setattr(fcntl, "flock", removes_once)
    with temporary_folder("build") as folder:
        assert folder.is_dir() and folder not in removed
