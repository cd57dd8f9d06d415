"""DG140."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class PackageNotInstalled(PythonError):
    """The file imports a package that this Python does not have.

    It is installed for another Python, it has another name on the package index, or the answer of a model relied on something
    that nobody has promised. Python 3.12 dropped distutils and brings no setuptools, which older versions of torch need to build.

    Install it into the Python that runs the file (`python -m pip install NAME` with this same `python`), or do without it.
    """

    code = "DG140"
    name = "package-not-installed"
    type = "ModuleNotFoundError"
    told = r"^No module named '(?P<name>(?!torch\.|ninja')[\w.]+)'"
    fact = "this Python has no package {name}"
    remedy = (
        "install it with `python -m pip install ...` for this same python, or remove the import of {name}"
    )
    CASES = (Case("missing_torch_module", says="torch_scatter", line=2),)
