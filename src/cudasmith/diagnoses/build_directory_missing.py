"""DG126."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class BuildDirectoryMissing(PythonError):
    """The folder given as `build_directory` does not exist.

    torch makes its default folder itself, but not one that is named in the call: it writes main.cpp into it and fails.

    Make the folder first (`os.makedirs(folder, exist_ok=True)`), or leave the argument out.
    """

    code = "DG126"
    name = "build-directory-missing"
    type = "FileNotFoundError"
    told = r"^\[Errno 2\] No such file or directory: '(?P<folder>[^']*)/(?:main\.cpp|cuda\.cu)'"
    fact = "the build_directory {folder} does not exist"
    remedy = (
        "make {folder} with os.makedirs(..., exist_ok=True) before the call, or leave build_directory out"
    )
    CASES = (Case("build_directory_missing", says="/home/nobody/ext", line=15),)
