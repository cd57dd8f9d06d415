"""DG134."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class AttributeMissing(PythonError):
    """A method uses `self.NAME`, and __init__ has set nothing of that name.

    The name differs from the one in __init__, or it was set only in the reference's class, or in a branch that
    was not taken.

    Set it in __init__, under the same name. Parameters that the reference has must keep its names, so that its weights
    can be loaded.
    """

    code = "DG134"
    name = "attribute-missing"
    type = "AttributeError"
    told = r"^'(?P<model>ModelNew|Model)' object has no attribute '(?P<name>(?!_parameters|_buffers|_modules)\w+)'"
    fact = "{model} has no attribute {name}"
    remedy = "set self.{name} in __init__ of {model}, or use the name that is set there"
    CASES = (Case("missing_attribute", says="weight", line=11),)
