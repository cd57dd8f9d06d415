"""DG133."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class ForwardMissing(PythonError):
    """A module was called, and its class has no method `forward`.

    Often it is there and stands too far right, inside of __init__, so that it is a local function there; or its
    name is misspelt.

    Define `def forward(self, ...)` directly in the class, at the same column as __init__.
    """

    code = "DG133"
    name = "forward-missing"
    type = "NotImplementedError"
    told = r'^Module \[(?P<model>\w+)\] is missing the required "forward" function'
    fact = "{model} has no method forward"
    remedy = "define forward in the class {model}, at the column of __init__, not inside of it"
    CASES = (Case("no_forward", says="ModelNew", line=14),)
