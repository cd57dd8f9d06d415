"""DG841."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class LockVanished(ToldLine):
    """The lock of a build was taken away while the build was running.

    Another process deleted the file `lock`, or the whole folder: a script that clears stale locks, or a second run
    that cleans up before it builds.

    Let no process clear a folder in which another may build; give each its own (TORCH_EXTENSIONS_DIR or build_directory).
    """

    code = "DG841"
    name = "lock-vanished"
    told = r"^FileNotFoundError: \[Errno 2\] No such file or directory: '(?P<path>[^']*/lock)'"
    fact = "the lock {path} was deleted while its build was running"
    remedy = "give each process its own build folder, and clear none that is in use"
    CASES = (Case("lock_removed", says="lock_removed/lock"),)
