"""DG829."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class TooManyOpenFiles(ToldLine):
    """The process has as many files open as it may have.

    Files, pipes and sockets count. Data loaders, many child processes and files that nobody closes use them up; the build is
    then only the first to notice.

    Raise the limit (`ulimit -n 65536`), or close what is no longer needed; for tensors between processes
    torch.multiprocessing.set_sharing_strategy("file_system") helps.
    """

    code = "DG829"
    name = "too-many-open-files"
    told = r"\[Errno 24\] Too many open files|: Too many open files"
    fact = "the process has too many open files"
    remedy = "raise the limit with `ulimit -n 65536`, or close files and worker processes"
    CASES = (Case("open_files"),)
