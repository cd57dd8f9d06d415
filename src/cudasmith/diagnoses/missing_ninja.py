"""DG801."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class MissingNinja(ToldLine):
    """torch builds extensions with the program ninja, and finds none on PATH.

    `pip install ninja` puts it into the bin folder of the environment. That folder is on PATH only in an activated environment:
    calling venv/bin/python by its path, an IDE, sudo or a job system leave it out.

    Activate the environment, or put its bin folder on PATH; if `ninja --version` fails even then, install ninja.
    """

    code = "DG801"
    name = "missing-ninja"
    told = (
        r"^(?:RuntimeError: )?Ninja is required to load C\+\+ extensions|^(?:\S*sh: )?(?:line \d+: )?ninja: (?:command )?not found"
        r"|^ModuleNotFoundError: No module named 'ninja'"
    )
    fact = "torch finds no program `ninja` on PATH"
    remedy = "activate the environment (or add its bin folder to PATH), and `python -m pip install ninja` if it is not there"
    CASES = (Case("missing_ninja"), Case("public_ninja_module_missing"))
