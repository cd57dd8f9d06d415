"""DG819."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class DiskFull(ToldLine):
    """There is no room left on a disk that the build writes to.

    Builds write to the folder of extensions (~/.cache/torch_extensions, or TORCH_EXTENSIONS_DIR) and, a lot, to TMPDIR, which is often a
    small disk in memory. Compilers then give errors about files, in odd words.

    `df -h` on both folders tells which one is full, `df -i` whether it ran out of files. Make room, or let
    TORCH_EXTENSIONS_DIR and TMPDIR name a larger disk.
    """

    code = "DG819"
    name = "disk-full"
    told = r"No space left on device|Disk quota exceeded"
    fact = "a disk that the build writes to is full"
    remedy = (
        "make room, or set TORCH_EXTENSIONS_DIR and TMPDIR to folders on a larger disk (`df -h` shows them)"
    )
    CASES = (
        Case("disk_full"),
        Case("disk_full_python"),
        Case("disk_full_gcc"),
    )
