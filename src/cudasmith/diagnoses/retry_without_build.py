"""DG125."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class RetryWithoutBuild(PythonError):
    """load_inline was called again after a build that failed, and went to load a library that was never made.

    Within a process torch remembers the sources of each name. When the same call comes again, it skips the build, even
    if the first one had failed. In a fresh folder there is no library to load; in an old one it may load a stale one and
    give wrong numbers.

    The real error is the one of the first call: it stands further up in the log, or was swallowed by a try. Repair that
    and start a new process; do not catch errors of load_inline to try once more.
    """

    code = "DG125"
    name = "retry-without-build"
    type = "ImportError|OSError"
    told = r"^(?P<folder>/\S*)/(?P<name>\w+)\.so: cannot open shared object file: No such file or directory"
    fact = (
        "there is no {name}.so: an earlier build of it failed, and torch does not build again in this process"
    )
    remedy = "look for the error of the first build of {name}; repair it and start a new process"
    CASES = (Case("retry_after_failure", says="retry_after_failure.so", line=6),)
