"""DG823."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CompilerCrashed(ToldLine):
    """The host compiler crashed; it says so itself.

    That is a fault of the compiler, set off by this code, or of the machine: bad memory and overclocked processors show
    so. "Killed" in that line means lack of memory instead.

    Run once more. If it comes again at the same place, use another version of the compiler (CXX, -ccbin) or write that
    place differently.
    """

    code = "DG823"
    name = "compiler-crashed"
    told = r"internal compiler error: (?!Killed)(?P<what>[^\n]{1,80})"
    fact = "the compiler crashed: {what}"
    remedy = "run again; if it repeats, use another compiler version (CXX, -ccbin) or rewrite the place"
    CASES = (Case("gcc_crashed", says="Segmentation fault"),)
