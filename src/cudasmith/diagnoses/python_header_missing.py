"""DG812."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_header


class PythonHeaderMissing(ToldLine):
    """The compiler does not find Python.h.

    The headers of Python are a package of their own on many systems; an environment of a venv uses those of the Python that it was made from.

    Install them (`apt-get install python3-dev`, or python3.11-dev for that version), or use a Python that brings them, such
    as conda's or uv's.
    """

    code = "DG812"
    name = "python-header-missing"
    hides = (
        "DG220",
        "DG221",
    )
    placed = True
    told = missing_header(r"(?:Python|pyconfig|patchlevel)\.h|python3\.\d+/[\w.]+")
    fact = "the compiler does not find {header}, a header of Python"
    remedy = "install the package python3-dev of the same version, or use a Python that brings its headers"
    CASES = (Case("python_header_missing", says="Python.h"),)
