"""DG539."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class MethodArguments(RaisedError):
    """A method of the model was called with another number of arguments than it takes.

    forward must take what the caller's inputs give, and __init__ what get_init_inputs gives, in that
    order.

    Give the class the same parameters as the reference model's, with the same defaults.
    """

    code = "DG539"
    name = "method-arguments"
    types = r"TypeError"
    pattern = r"^(?P<method>\w+\.(?:forward|__init__)\(\)) (?P<what>missing \d+ required positional arguments?: .*|takes .* but \d+ (?:was|were) given)"
    fact = "{method} {what}"
    remedy = "let {method} take what its caller passes, or pass what it takes"
    CASES = (
        Case("run_forward_arguments", says="Model.forward() missing", line=8),
        Case("run_forward_surplus", says="but 3 were given", line=8),
        Case("run_init_arguments", says="'eps'", line=8),
    )
