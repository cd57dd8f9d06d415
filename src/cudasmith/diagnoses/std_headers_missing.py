"""DG815."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_header


class StdHeadersMissing(ToldLine):
    """The compiler does not find the headers of the C++ standard library.

    The compiler was installed without them: clang beside no g++, or a newer gcc of which only a part is there. They come
    in a package of the compiler's version.

    Install g++ as a whole (`apt-get install g++`, or libstdc++-12-dev for the version that the compiler picks).
    """

    code = "DG815"
    name = "std-headers-missing"
    hides = (
        "DG220",
        "DG221",
    )
    placed = True
    told = missing_header(
        r"(?:vector|string|memory|cstd\w+|c?math|algorithm|utility|iostream|type_traits|functional|limits|bits/c\+\+config\.h|stddef\.h)"
    )
    fact = "the compiler does not find <{header}> of the C++ standard library"
    remedy = "install g++ as a whole, with the libstdc++ headers of its version"
    CASES = (Case("std_header_missing", says="<vector>"),)
