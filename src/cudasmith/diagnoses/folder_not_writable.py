"""DG820."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class FolderNotWritable(ToldLine):
    """The build cannot write to its folder.

    The folder of extensions belongs to another user, lies on a disk that is mounted for reading only, or is not there and cannot
    be made. In containers and job systems the home folder is often read-only.

    Set TORCH_EXTENSIONS_DIR, and TMPDIR for the compilers, to folders that this user may write to.
    """

    code = "DG820"
    name = "folder-not-writable"
    told = r"(?:\[Errno (?:13|30)\] (?:Permission denied|Read-only file system): '(?P<path>[^']*)'|: (?P<what>Read-only file system)\b|cannot open output file (?P<out>\S+): Permission denied|Could not open output file '(?P<nvcc>[^']*)')"
    fact = "the build cannot write to {path}{out}{nvcc}{what}"
    remedy = "set TORCH_EXTENSIONS_DIR (and TMPDIR) to folders that this user may write to"
    CASES = (
        Case("read_only", says="/home/user/build/mnt/ext"),
        Case("permission_denied", says="permission_denied"),
        Case("tmpdir_missing", says="/nonexistent/"),
    )
