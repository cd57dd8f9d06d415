"""DG540."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class StateDoesNotFit(RaisedError):
    """Saved weights do not fit the model that loads them.

    Parameters are matched by attribute name and shape. A model that stores its weight under another
    name, or nested in another way, finds none.

    Name and nest the parameters as the model that saved them does.
    """

    code = "DG540"
    name = "state-does-not-fit"
    pattern = r"^Error\(s\) in loading state_dict for (?P<model>\w+)"
    fact = "the saved weights do not fit {model}"
    remedy = "give the parameters of {model} the names and shapes listed in the message"
    CASES = (
        Case("run_state_dict", says="do not fit Linear", line=5),
        Case("run_state_keys", says="do not fit Sequential", line=5),
    )
