"""Real builds under faults: kills, full disks, broken caches, many at once. Each leaves nothing, and the next build is right.

The modules' cache is a folder of each test; the library behind the light headers is the real cache's, by a link.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import psutil
import pytest

from cudasmith.gpu.fast import build_fast
from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.hostapi.library import support_library
from cudasmith.hostapi.load import import_module
from cudasmith.model import BuildStatus, Extension
from cudasmith.store import StoreError, place
from cudasmith.store.entry import MANIFEST, SCRATCH

NVCC = find_nvcc()
needs_nvcc = pytest.mark.skipif(NVCC is None, reason="no nvcc was found")
KERNEL = "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }"
COMMAND = [sys.executable, "-m", "cudasmith", "build", "--json"]
PAGE = 4096


@pytest.fixture(scope="module")
def support() -> Path:
    return support_library(str(Path(NVCC.root) / "include") if NVCC else None)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, support: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "cache"
    (made / "modules").mkdir(parents=True)
    (made / "support").symlink_to((place.root() / "support").resolve())
    monkeypatch.setenv("CUDASMITH_CACHE", str(made))
    return made


def extension(value: int, name: str = "m", cuda: str = "") -> Extension:
    text = f"int64_t f() {{ return {value}; }}"
    return Extension(name, (text,), (cuda,) if cuda else (), (("f", "f"),))


def source(folder: Path, value: int, name: str = "m", cuda: str = "") -> str:
    """The same as a file for the command line."""
    file = folder / f"{name}{value}.py"
    more = f", cuda_sources={cuda!r}" if cuda else ""
    file.write_text(
        "from torch.utils.cpp_extension import load_inline\n"
        f'm = load_inline(name="{name}", cpp_sources="int64_t f() {{ return {value}; }}", functions=["f"]{more})\n'
    )
    return str(file)


def started(file: str, mark: str = "") -> subprocess.Popen[str]:
    env = {**os.environ, "FAULT_TEST": mark}
    return subprocess.Popen(
        [*COMMAND, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )


def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    found = json.loads(out)["files"][0]["builds"][0]
    assert isinstance(found, dict)
    return found


def result(build: dict[str, Any], support: Path, name: str = "m") -> int:
    assert build["status"] == "OK", build
    value = import_module(name, Path(build["library"]), support).f()
    assert isinstance(value, int)
    return value


def marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("FAULT_TEST") == mark:
                found.append(process)
        except psutil.Error:
            continue
    return found


def left(cache: Path) -> list[str]:
    return [p.name for p in (cache / "modules").iterdir() if SCRATCH in p.name]


@needs_nvcc
def test_builds_killed_at_any_moment_leave_nothing_and_the_next_is_right(
    tmp_path: Path, cache: Path, support: Path
) -> None:
    seed, mark = random.randrange(10**6), uuid.uuid4().hex
    file = source(tmp_path, 7, cuda=KERNEL)
    start = time.monotonic()
    answer(started(file))
    duration = time.monotonic() - start
    shutil.rmtree(cache / "modules")
    moments = random.Random(seed)
    for _ in range(10):
        process = started(file, mark)
        time.sleep(moments.uniform(0, duration))
        process.kill()
        process.communicate()
        end = time.monotonic() + 5
        while marked(mark) and time.monotonic() < end:
            time.sleep(0.02)
        assert marked(mark) == [], f"seed {seed}"
    last = answer(started(file))
    assert left(cache) == [] and result(last, support) == 7, f"seed {seed}"
    assert last["kernels"][0]["registers"] > 0


def may_mount() -> bool:
    try:
        return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@needs_nvcc
@pytest.mark.skipif(not may_mount(), reason="no small disk can be mounted here")
@pytest.mark.parametrize("kilobytes", [4, 200, 1600, 3000])
def test_a_disk_that_fills_up_is_told_with_place_and_remedy(
    kilobytes: int, tmp_path: Path, cache: Path
) -> None:
    """A real small disk (tmpfs in a mount namespace of its own): full at the sources, preprocessing, nvcc, objects."""
    mount = f"mount -t tmpfs -o size={kilobytes}k none {cache / 'modules'}"
    look = f"ls -A {cache / 'modules'} >&2"
    script = f'{mount} || exit 99; "$@"; code=$?; {look}; exit $code'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", *COMMAND, source(tmp_path, 7, cuda=KERNEL)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    error = json.loads(done.stdout)["files"][0]["error"]
    assert done.returncode == 4 and error["code"] == "CSB010", done.stdout
    assert "the disk is full" in error["message"] and "cache clear" in error["help"]
    assert error["where"] == str(cache / "modules")
    entries = [line for line in done.stderr.splitlines()[-3:] if len(line) == 20]
    assert entries == [] and SCRATCH not in done.stderr


@pytest.mark.parametrize("step", ["-c", "-shared"])
def test_a_full_disk_in_the_compilers_words_is_told(
    step: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrapped compiler that fails with the real message at compiling or linking: the disk has room again afterwards."""
    compiler = tmp_path / "c++"
    compiler.write_text(
        f'#!/bin/sh\ncase " $* " in *" {step} "*) '
        "echo '/usr/bin/ld: final link failed: No space left on device' >&2; exit 1;; esac\n"
        'exec /usr/bin/env -u CXX c++ "$@"\n'
    )
    compiler.chmod(0o755)
    from cudasmith.hostapi import compiler as chooser

    monkeypatch.setenv("CXX", str(compiler))
    monkeypatch.setattr(chooser, "file_identity", lambda path: "wrapped")
    monkeypatch.setattr("cudasmith.gpu.fast.build.support_library", lambda *_: support_of(cache))
    with pytest.raises(StoreError, match="the disk is full"):
        build_fast(extension(1), ("sm_90",))
    assert left(cache) == []


def support_of(cache: Path) -> Path:
    return next(cache.glob("support/*/libcudasmith_host_*.so"))


def test_a_full_disk_at_publishing_leaves_no_entry(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(directory: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cudasmith.store.entry._seal", full)
    with pytest.raises(StoreError, match="the disk is full"):
        build_fast(extension(1), ("sm_90",))
    assert left(cache) == [] and list(cache.glob(f"modules/*/{MANIFEST}")) == []


@pytest.mark.skipif(os.geteuid() == 0 and not may_mount(), reason="root may write anywhere")
def test_a_read_only_cache_serves_what_it_has_and_tells_what_it_cannot_build(
    tmp_path: Path, cache: Path, support: Path
) -> None:
    """A real read-only mount."""
    old, new = source(tmp_path, 1), source(tmp_path, 2)
    answer(started(old))
    mount = f"mount --bind {cache} {cache} && mount -o remount,bind,ro {cache}"
    script = f'{mount} || exit 99; "$@"'
    done = [
        subprocess.run(
            ["unshare", "-rm", "sh", "-c", script, "sh", *COMMAND, file],
            capture_output=True,
            text=True,
            check=False,
        )
        for file in (old, new)
    ]
    if done[0].returncode == 99:
        pytest.skip("no read-only mount can be made here")
    assert done[0].returncode == 0 and json.loads(done[0].stdout)["files"][0]["builds"][0]["cached"]
    error = json.loads(done[1].stdout)["files"][0]["error"]
    assert done[1].returncode == 4 and "CUDASMITH_CACHE" in error["help"]


def test_one_name_and_two_sources_at_once_keep_their_own_kernels(tmp_path: Path, support: Path) -> None:
    running = {value: started(source(tmp_path, value, "same")) for value in (11, 22)}
    for value, process in running.items():
        assert result(answer(process), support, "same") == value


@pytest.mark.parametrize("same", [True, False])
def test_eight_builds_at_once_are_right_and_one_entry_is_built_once(
    same: bool, tmp_path: Path, cache: Path, support: Path
) -> None:
    values = [5] * 8 if same else list(range(8))
    files = [source(tmp_path, value, f"n{value}") for value in values]
    running = [started(file) for file in files]
    answers = [answer(process) for process in running]
    assert [result(a, support, f"n{v}") for v, a in zip(values, answers, strict=True)] == values
    assert [a["cached"] for a in answers].count(False) == len(set(values)) and left(cache) == []


@pytest.mark.parametrize("cut", ["half", "page", "empty"])
def test_a_truncated_library_is_built_again(cut: str, support: Path) -> None:
    """To a page's boundary too, where loading it would die of SIGBUS. A changed byte of the same size is not noticed:
    the store checks sizes, since reading all of each entry at each use would cost more than most builds gain."""
    first = build_fast(extension(3), ("sm_90",))
    assert first.library is not None
    whole = first.library.stat().st_size
    size = {"half": whole // 2, "page": whole // 2 // PAGE * PAGE, "empty": 0}[cut]
    os.truncate(first.library, size)
    again = build_fast(extension(3), ("sm_90",))
    assert again.library is not None and again.library.stat().st_size == whole and not again.cached
    assert import_module("m", again.library, support).f() == 3


def test_a_clock_that_goes_backwards_keeps_entries_and_locks(cache: Path, monkeypatch) -> None:
    first = build_fast(extension(4), ("sm_90",))
    for file in [*cache.glob("modules/*"), *cache.glob("modules/*/*"), *cache.glob("slots-*/*")]:
        os.utime(file, (2**32, 2**32))  # the year 2106
    monkeypatch.setattr(time, "time", lambda: 1.0)
    monkeypatch.setattr(time, "time_ns", lambda: 10**9)
    assert build_fast(extension(4), ("sm_90",)).cached and first.status is BuildStatus.OK
    assert build_fast(extension(6), ("sm_90",)).status is BuildStatus.OK


def test_a_cache_deleted_at_any_moment_is_made_again(tmp_path: Path, cache: Path, support: Path) -> None:
    for value in range(4):
        process = started(source(tmp_path, value))
        while process.poll() is None:
            time.sleep(0.4)
            for folder in [cache / "modules", *cache.glob("slots-*")]:
                shutil.rmtree(folder, ignore_errors=True)
            if value:
                break
        if value:
            assert result(answer(process), support) == value
        else:
            process.communicate()  # deleted again and again: an end, whatever it is
