"""DG817."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CompilerTooOld(ToldLine):
    """The compiler does not know the C++ standard that it was asked for.

    torch asks for the standard that its headers need: C++17, and C++20 from version 2.14 on. gcc knows C++20 well from version 11,
    nvcc from 12.0. An -std flag among the own flags may also ask for more than the compiler has.

    Install a newer compiler (name it with CXX and -ccbin) or a newer toolkit; and leave -std out of the flags.
    """

    code = "DG817"
    name = "compiler-too-old"
    hides = ("DG266",)
    told = r"""(?:unrecognized command[- ]line option [‘'\"]-std=(?P<gcc>[\w+]+)|nvcc fatal\s*: Value '(?P<nvcc>c\+\+\w+)' is not defined for option 'std')"""
    fact = "the compiler does not know the standard {gcc}{nvcc}"
    remedy = "use a newer compiler or toolkit, and leave -std out of the flags"
    CASES = (
        Case("nvcc_std"),
        Case("gcc_too_old", says="c++26"),
        Case("nvcc_std_unknown", says="c++23"),
    )
