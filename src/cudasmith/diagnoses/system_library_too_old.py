"""DG833."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class SystemLibraryTooOld(ToldLine):
    """A library needs a newer libstdc++ or glibc than the one that was loaded.

    It was compiled with a newer compiler than this process runs with: on another machine or in another image; or conda
    brings an older libstdc++ and loads it first.

    Build on the machine that runs it. With conda, install a newer `libstdcxx-ng`, or let LD_LIBRARY_PATH name the folder
    of the system's libstdc++.so.6. glibc itself cannot be exchanged: take an older image for the build.
    """

    code = "DG833"
    name = "system-library-too-old"
    told = r"version [`'](?P<version>(?:GLIBCXX|CXXABI|GLIBC|GCC)_[\w.]+)' not found \(required by (?P<path>[^)]+)\)"
    fact = "{path} needs {version}, and the library that was loaded does not have it"
    remedy = "build it on this machine, or load a libstdc++ that has {version} (conda: update libstdcxx-ng)"
    CASES = (
        Case("public_glibcxx"),
        Case("glibcxx_missing", says="GLIBCXX_3.4.99"),
    )
