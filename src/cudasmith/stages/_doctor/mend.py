"""What `doctor --fix` does: only what cannot harm, each step told."""

from __future__ import annotations

import shutil
import subprocess
import sys

from cudasmith.gpu import cudart
from cudasmith.model import Mend
from cudasmith.stages._doctor.locks import extensions_root, locks
from cudasmith.stages._doctor.machine import Machine
from cudasmith.stages._doctor.places import in_venv, ninja_beside_python
from cudasmith.store.place import root as cache_root

INSTALL_TIMEOUT_S = 300


def make_cache(machine: Machine) -> list[Mend]:
    root = cache_root()
    if root.is_dir():
        return []
    try:
        root.mkdir(parents=True)
    except OSError as error:
        return [Mend(f"could not make {root}: {error.strerror}", done=False)]
    return [Mend(f"made {root}")]


def link_cudart(machine: Machine) -> list[Mend]:
    """A symlink in cudasmith's cache; the toolkit and site-packages stay as they are."""
    found = machine.toolchain
    if found is None or found.links or cudart.linked(found) or cudart.versioned(found) is None:
        return []
    try:
        folder = cudart.ensure_link(found)
    except OSError as error:
        return [Mend(f"could not link libcudart.so: {error.strerror}", done=False)]
    return [Mend(f"linked {folder}/libcudart.so to {cudart.versioned(found)}")]


def remove_stale_locks(machine: Machine) -> list[Mend]:
    """Only where this torch waits for them; only the user's own, old, with no living builder.

    A lock file that exists cannot come into use again: builders make theirs anew.
    """
    if machine.torch is None or not machine.torch.baton:
        return []
    done = []
    for lock in locks(extensions_root()):
        if lock.stale:
            try:
                lock.path.unlink()
            except OSError as error:
                done.append(Mend(f"could not remove {lock.path}: {error.strerror}", done=False))
            else:
                done.append(Mend(f"removed {lock.path}"))
        else:
            who = f"process {lock.holder} uses it" if lock.holder else "it is young, or not yours"
            done.append(Mend(f"left {lock.path}: {who}", done=False))
    return done


def install_ninja(machine: Machine) -> list[Mend]:
    """Into a virtual environment only."""
    if shutil.which("ninja") or ninja_beside_python() is not None or not in_venv():
        return []
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "ninja"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [Mend(f"could not install ninja: {error}", done=False)]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
        return [Mend(f"could not install ninja: {last}", done=False)]
    return [Mend(f"installed ninja into {sys.prefix}")]
