"""DG816."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class HostCompilerTooNew(ToldLine):
    """The toolkit refuses the installed gcc, since it is newer than any the toolkit was tested with.

    nvcc parses the headers of gcc with its own front end, which knows them up to a certain version. The system
    may have moved on in the meantime.

    Install an older g++ beside it and name it: CXX=g++-13 and extra_cuda_cflags=["-ccbin=g++-13"]. A newer toolkit takes
    newer compilers. The flag -allow-unsupported-compiler only hides the refusal.
    """

    code = "DG816"
    name = "host-compiler-too-new"
    told = r"unsupported (?P<kind>GNU|clang) version! (?:gcc|clang) versions? (?:later than|must be less than) (?P<limit>\d+)"
    fact = "the installed {kind} compiler is too new for this CUDA toolkit (its limit is {limit})"
    remedy = (
        "install a compiler up to version {limit} and name it with CXX and -ccbin, or use a newer toolkit"
    )
    CASES = (
        Case("unsupported_gnu_version"),
        Case("public_unsupported_gnu_version"),
        Case("gnu_too_new", says="15"),
    )
