"""DG804."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class NoHostCompiler(ToldLine):
    """There is no C++ compiler for the host code.

    torch calls `c++`, or what the variable CXX names, and nvcc calls gcc. Slim images have neither; or CXX, NVCC_CCBIN
    or -ccbin name a version that is not installed.

    Install g++ (`apt-get install g++` on Debian and Ubuntu), or let CXX and -ccbin name one that is there.
    """

    code = "DG804"
    name = "no-host-compiler"
    told = r"(?:^(?:\S*sh: )?(?:line )?(?:\d+: )?(?P<shell>[^\s:]*(?:c\+\+|g\+\+|gcc|clang\+\+)[\w.-]*): (?:not found|No such file or directory|command not found)|^(?P<nvcc>\S*(?:gcc|g\+\+)[\w.-]*): No such file or directory|No such file or directory: '(?P<python>[^']*(?:c\+\+|g\+\+|gcc))')"
    fact = "there is no C++ compiler {shell}{nvcc}{python}"
    remedy = "install g++, or set CXX (and -ccbin for nvcc) to a compiler that is installed"
    CASES = (
        Case("no_cxx_compiler", says="c++"),
        Case("gcc_missing_for_nvcc", says="gcc"),
        Case("ccbin_missing", says="/usr/bin/g++-14"),
        Case("public_shell_without_gxx", says="g++"),
    )
