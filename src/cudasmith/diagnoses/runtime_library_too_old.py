"""DG419."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class RuntimeLibraryTooOld(RaisedError):
    """The C++ runtime library that the process loaded is older than the compiler that built the module.

    Conda environments bring a libstdc++ of their own, which is loaded first; the system's g++ may be
    newer and use functions that it lacks. A module built on a newer system fails the same way with
    GLIBC.

    Build with the compiler of the environment (conda install gxx_linux-64), update libstdcxx-ng in it,
    or preload the system's libstdc++.so.6 with LD_PRELOAD.
    """

    code = "DG419"
    name = "runtime-library-too-old"
    types = r"ImportError|OSError"
    pattern = (
        r"version `(?P<version>(?:GLIBCXX|GLIBC|CXXABI)_[\d.]+)' not found \(required by (?P<file>[^)]+)\)"
    )
    fact = "{file} needs {version}, and the loaded runtime library is older"
    remedy = "update the environment's libstdcxx-ng, or build with the environment's own compiler"
    CASES = (Case("public_glibcxx", says="GLIBCXX_3.4.32"),)
