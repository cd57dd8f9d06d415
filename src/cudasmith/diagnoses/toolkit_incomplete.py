"""DG824."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class ToolkitIncomplete(ToldLine):
    """nvcc is there, but a program that it needs is missing from the toolkit.

    nvcc only directs others: cudafe++, cicc, ptxas, fatbinary. Packages of pip and conda bring them one by one, and a link or
    a copy of nvcc alone finds none of them.

    Install the whole toolkit, or the packages that are missing (with pip: nvidia-cuda-nvcc, nvidia-nvvm, nvidia-cuda-crt, of one
    version).
    """

    code = "DG824"
    name = "toolkit-incomplete"
    told = r"sh: (?:line )?\d+: (?P<part>\S*\b(?:cudafe\+\+|cicc|ptxas|fatbinary|nvlink|bin2c)): (?:not found|No such file or directory|command not found)"
    fact = "the CUDA toolkit is incomplete: there is no {part}"
    remedy = "install the whole toolkit of one version, or the package that holds {part}"
    CASES = (Case("cicc_missing", says="cicc"),)
