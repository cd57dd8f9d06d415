"""Checks of what builds run with: ninja, the cache, temporary files, memory."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from cudasmith.gpu.toolchain import said
from cudasmith.model import Condition, Status
from cudasmith.stages._doctor.machine import Machine, pip
from cudasmith.store.memory import cores, free_bytes, total_bytes
from cudasmith.store.place import number_in
from cudasmith.store.place import root as cache_root

JOB_BYTES = 3 << 30  # one translation unit with all of torch's headers
CACHE_BYTES = 2 << 30  # the emulator's header and library for one torch and one compiler
TEMPORARY_BYTES = 1 << 30
_PROBE_BYTES = 1 << 16  # a full disk still takes a name


def ninja(machine: Machine) -> Condition:
    """torch's load_inline runs `ninja` from PATH; a venv's python run by its path does not put it there."""
    found = shutil.which("ninja")
    if found and said([found, "--version"]).strip():
        return Condition("ninja", "ok", found)
    beside = ninja_beside_python()
    if beside is not None:
        why = "torch's load_inline finds it on PATH only; cudasmith's builds add it"
        remedy = f"export PATH={shlex.quote(str(beside.parent))}:$PATH"
        return Condition("ninja", "warn", f"{beside}, not on PATH", why, remedy)
    text = f"{found} does not run" if found else "none"
    status: Status = "fail" if machine.needs_gpu_builds else "warn"
    why = "torch's load_inline builds with it"
    return Condition("ninja", status, text, why, pip("ninja"), fixable=in_venv() and not found)


def ninja_beside_python() -> Path | None:
    beside = Path(sys.executable).parent / "ninja"
    return beside if os.access(beside, os.X_OK) and beside.is_file() else None


def in_venv() -> bool:
    return sys.prefix != sys.base_prefix


def cache(machine: Machine) -> Condition:
    """Writable, and files in it may be loaded as libraries."""
    root, label = cache_root(), "cache"
    remedy = f"export CUDASMITH_CACHE={_other_place(root)}"
    trouble = _trouble(root)
    if trouble:
        return Condition(label, "fail", f"{root}: {trouble}", "the emulator is kept there", remedy)
    if not root.is_dir():
        return Condition(label, "ok", f"{root}, made at first use", fixable=True)
    free = _free_bytes(root)
    text = f"{root}, {_size(free)} free"
    prepared = (root / "emulator-header").is_dir()
    if free < CACHE_BYTES and not prepared:
        return Condition(label, "warn", text, f"the emulator takes up to {_size(CACHE_BYTES)}", remedy)
    return Condition(label, "ok", text)


def _other_place(root: Path) -> str:
    """A folder for the cache that can be written, if home or the temporary folder is one."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - raises nothing where nobody has a home
    if home.is_dir() and not _trouble(home) and root != home / "cudasmith-cache":
        return "$HOME/cudasmith-cache"
    try:
        return shlex.quote(str(Path(tempfile.gettempdir()) / "cudasmith-cache"))
    except FileNotFoundError:
        return "/a/writable/place"


def temporary(machine: Machine) -> Condition:
    """Each verification builds in a fresh temporary directory."""
    label, remedy = "temporary files", "export TMPDIR=/a/larger/place"
    try:
        folder = Path(tempfile.gettempdir())
    except FileNotFoundError:
        return Condition(label, "fail", "no writable directory", "builds are made in one", remedy)
    trouble = _trouble(folder)
    if trouble:
        return Condition(label, "fail", f"{folder}: {trouble}", "builds are made there", remedy)
    if (passed := _passed_over(folder)) is not None:
        return passed
    free = _free_bytes(folder)
    text = f"{folder}, {_size(free)} free"
    if free < TEMPORARY_BYTES:
        return Condition(label, "warn", text, "a build with torch's headers may not fit", remedy)
    return Condition(label, "ok", text)


def _passed_over(taken: Path) -> Condition | None:
    """TMPDIR names a folder in which nothing can be written: Python takes the next one without a word."""
    named = os.environ.get("TMPDIR")
    if not named or Path(named).absolute() == taken.absolute():
        return None
    missing = not Path(named).exists()
    trouble = "no such directory" if missing else _trouble(Path(named))
    if not trouble:
        return None
    remedy = f"mkdir -p {shlex.quote(named)}" if missing else "unset TMPDIR"
    return Condition(
        "temporary files", "warn", f"TMPDIR={named}: {trouble}", f"{taken} is taken instead", remedy
    )


def memory(machine: Machine) -> Condition:
    """Compile jobs at once, times what one takes."""
    limit, free = total_bytes(), free_bytes()
    fit = max(1, limit // JOB_BYTES)
    jobs = number_in("MAX_JOBS") or cores()
    text = f"{_size(limit)}, {_size(free)} free; {jobs} compile job{'s' if jobs != 1 else ''}"
    if free < JOB_BYTES:
        why = f"one compile job takes up to {_size(JOB_BYTES)}"
        return Condition("memory", "warn", text, why, "export MAX_JOBS=1" if jobs != 1 else "")
    if jobs > fit:
        why = f"a job takes up to {_size(JOB_BYTES)}: only {fit} fit"
        return Condition("memory", "warn", text, why, f"export MAX_JOBS={fit}")
    return Condition("memory", "ok", text)


def _trouble(folder: Path) -> str:
    """Why nothing can be built in that folder, or in the nearest one that exists; or nothing."""
    place = next((p for p in (folder, *folder.absolute().parents) if p.exists()), Path("/"))
    if not place.is_dir():
        return "not a directory" if place == folder else f"{place} is not a directory"
    try:
        with tempfile.TemporaryFile(dir=place, buffering=0) as probe:
            probe.write(bytes(_PROBE_BYTES))
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return "full"
        return f"not writable ({error.strerror})"
    if os.statvfs(place).f_flag & getattr(os, "ST_NOEXEC", 0):
        return "mounted noexec: libraries there cannot be loaded"
    return ""


def _free_bytes(place: Path) -> int:
    return shutil.disk_usage(place).free


def _size(count: int) -> str:
    return f"{count / (1 << 30):.{0 if count >= 10 << 30 else 1}f} GB"
