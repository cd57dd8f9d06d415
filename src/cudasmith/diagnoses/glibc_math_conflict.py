"""DG837."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class GlibcMathConflict(ToldLine):
    """The system's math header and that of the CUDA toolkit declare the same functions differently.

    glibc 2.41 brought sinpi, cospi and rsqrt, with `noexcept`. Toolkits up to 12.x declare them without, and C++ takes
    that for a contradiction. The user's code has no part in it.

    Use a newer toolkit (13 is right), or build in an image with an older glibc.
    """

    code = "DG837"
    name = "glibc-math-conflict"
    told = r"exception specification is incompatible with that of previous function \"(?P<name>(?:cospi|sinpi|rsqrt)f?)\""
    fact = "the headers of glibc and of the CUDA toolkit disagree about {name}"
    remedy = "use a newer CUDA toolkit (13 or later), or an image with glibc older than 2.41"
    CASES = (Case("public_glibc_math", says="cospi"),)
