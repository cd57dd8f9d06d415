"""DG803."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class NvccNotFound(ToldLine):
    """The build called nvcc at a place where there is none.

    CUDA_HOME points to a folder without a toolkit: a version that was removed, an image that has only the libraries to
    run CUDA (`runtime` in place of `devel`), or two paths joined by a colon.

    Set CUDA_HOME to the root of a whole toolkit; `$CUDA_HOME/bin/nvcc --version` must answer.
    """

    code = "DG803"
    name = "nvcc-not-found"
    told = r"(?:^(?:\S*sh: )?(?:line )?(?:\d+: )?(?P<shell>[^\s:]*nvcc): (?:not found|No such file or directory|command not found)|No such file or directory: '(?P<python>[^']*nvcc)'|nvcc not found at '(?P<torch>[^']*)')"
    fact = "there is no {shell}{python}{torch}"
    remedy = "set CUDA_HOME to the root of a toolkit that has bin/nvcc before Python starts (export PATH=$CUDA_HOME/bin:$PATH for a shell); `cudasmith doctor` says how to get one"
    CASES = (
        Case("cuda_home_wrong", says="/opt/cuda-nope/bin/nvcc"),
        Case("public_shell_without_nvcc", says="nvcc"),
    )
