"""DG417."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class PythonMismatch(RaisedError):
    """The module was built for another version of Python than the one that loads it.

    A compiled module fits one minor version. A cached build that two environments share, or a library
    copied between them, meets the wrong one.

    Delete the built library and build again with this Python; give each environment its own
    TORCH_EXTENSIONS_DIR.
    """

    code = "DG417"
    name = "python-mismatch"
    types = r"ImportError"
    pattern = r"Python version mismatch: module was compiled for Python (?P<built>[\d.]+), but the interpreter version is incompatible: (?P<have>[\d.]+)"
    fact = "the module was built for Python {built}; this is {have}"
    remedy = "delete the built library and build it again with this Python"
    CASES = (Case("public_python_mismatch", says="3.10"),)
