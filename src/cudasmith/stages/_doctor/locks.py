"""Check of torch's own extension cache: lock files that killed builds left behind.

Until torch took flock, a build waited for the file `lock` to disappear. A killed builder leaves it, and every later
build of that name waits for ever. The builder keeps the file open as long as it lives, so an open one is in use.
"""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path

import attrs

from cudasmith.model import Condition
from cudasmith.stages._doctor.machine import Machine

OLD_S = 3600  # younger ones may belong to a machine or container that shares the directory
PROC = Path("/proc")


@attrs.frozen
class Lock:
    """`holder`: the living process that has it open or works in its directory, 0 for none seen."""

    path: Path
    age_s: float
    mine: bool
    holder: int

    @property
    def stale(self) -> bool:
        """Nobody can be building under it any more."""
        return self.mine and not self.holder and self.age_s > OLD_S


def extensions_root() -> Path:
    """TORCH_EXTENSIONS_DIR, or torch's default below the user's cache."""
    chosen = os.environ.get("TORCH_EXTENSIONS_DIR")
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "torch_extensions"


def extension_cache(machine: Machine) -> Condition:
    root, label = extensions_root(), "extension cache"
    named = "TORCH_EXTENSIONS_DIR" if os.environ.get("TORCH_EXTENSIONS_DIR") else ""
    if named and root.exists() and not (root.is_dir() and os.access(root, os.W_OK)):
        why = "torch's load_inline builds there; cudasmith's builds do not"
        return Condition(label, "warn", f"{root} is not a writable directory", why, f"unset {named}")
    found = locks(root)
    text = str(root)
    if not found:
        return Condition(label, "ok", f"{text}, no locks")
    count = f"{len(found)} lock file{'s' if len(found) > 1 else ''}"
    if machine.torch is None or not machine.torch.baton:
        why = "harmless: this torch locks with flock" if machine.torch else ""
        return Condition(label, "ok", f"{text}, {count}", why)
    idle = [lock for lock in found if not lock.holder]
    if not idle:
        return Condition(label, "ok", f"{text}, {count}, in use by process {found[0].holder}")
    stale = [lock for lock in idle if lock.stale]
    why = f"no process here holds {'them' if len(idle) > 1 else 'it'}; a build of that name waits for ever"
    remedy = "rm " + " ".join(shlex.quote(str(lock.path)) for lock in idle)
    if stale:
        remedy = f"cudasmith doctor --fix\n{remedy}"
    return Condition(label, "warn", f"{text}, {count}", why, remedy, fixable=bool(stale))


def locks(root: Path) -> list[Lock]:
    """Every lock file of a build directory below the root, with its holder."""
    paths = [p for pattern in ("*/lock", "*/*/lock") for p in sorted(root.glob(pattern)) if p.is_file()]
    if not paths:
        return []
    users = _users({p: p.parent for p in paths})
    found = []
    for path in paths:
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # its builder is done
        age_s = time.time() - status.st_mtime
        found.append(Lock(path, age_s, status.st_uid == os.getuid(), users.get(path, 0)))
    return found


def _users(folders: dict[Path, Path]) -> dict[Path, int]:
    """For each lock the process that holds it open, runs in its directory, or names that on its command line.

    Where the processes cannot be listed, every lock counts as held by process 1.
    """
    if not (PROC / "self").exists():
        return dict.fromkeys(folders, 1)
    real = {lock: (lock.resolve(), str(folder.resolve())) for lock, folder in folders.items()}
    users: dict[Path, int] = {}
    for process in PROC.glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        opened, cwd, words = _uses(process)
        for lock, (path, folder) in real.items():
            below = (cwd + "/").startswith(folder + "/")
            if below or str(path) in opened or folder in words:
                users[lock] = int(process.name)
    return users


def _uses(process: Path) -> tuple[set[str], str, str]:
    """Open files, working directory and command line; nothing of a process that is gone or another user's."""
    opened: set[str] = set()
    cwd = words = ""
    try:
        words = (process / "cmdline").read_text(errors="replace").replace("\0", " ")
        cwd = str((process / "cwd").readlink())
        for descriptor in (process / "fd").iterdir():
            try:
                opened.add(str(descriptor.readlink()))
            except FileNotFoundError:
                continue
    except OSError:
        pass
    return opened, cwd, words
