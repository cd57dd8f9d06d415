"""DG806."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class StaleLock(ToldLine):
    """The build waits for a lock that another build has set, and perhaps nobody will take away.

    Up to version 2.13 torch marks a running build by a file `lock` in its folder. A build that was killed leaves it, and
    every later build of that name waits without an end and without a word.

    If no other process builds the extension now, delete the file `lock` in its folder (~/.cache/torch_extensions, or
    TORCH_EXTENSIONS_DIR). Let each run build into a folder of its own.
    """

    code = "DG806"
    name = "stale-lock"
    hides = ("DG706",)
    told = r'(?:File "[^"]*file_baton\.py", line \d+,? in wait|Waited on lock file "(?P<path>[^"]+)")'
    fact = "the build waits for the lock {path} of another build"
    remedy = (
        "if nothing builds this extension now, delete the file `lock` in its build folder and start again"
    )
    CASES = (
        Case("lock_left_behind"),
        Case("filebaton_stale_lock", says="bd_fb/lock"),
    )
