"""DG535."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._log import Log, Raised
from cudasmith.diagnoses._python import PythonError, returned
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class GradientCount(PythonError):
    """The backward of an autograd.Function returned another number of gradients than forward has arguments.

    Each argument of forward after ctx needs one, numbers and flags too.

    Return None for arguments without a gradient: `return grad_x, None`.
    """

    code = "DG535"
    name = "gradient-count"
    told = r"^function (?P<name>\w+)Backward returned an incorrect number of gradients \(expected (?P<want>\d+), got (?P<got>\d+)\)"
    fact = "{name}.backward returned {got} gradients; {name}.forward has {want} arguments"
    remedy = "return {want} values from {name}.backward, None for those without gradient"

    def place(self, log: Log, raised: Raised, candidate: Candidate | None) -> Span | None:
        """The return of that class's backward."""
        m = re.match(self.told, raised.text)
        found = returned(candidate, m["name"], "backward") if m is not None and candidate is not None else []
        return found[-1] if found else super().place(log, raised, candidate)

    CASES = (
        Case("odd_one_gradient_of_two", says="Scale", line=29),
        Case("run_gradient_count", says="Scale.backward returned 1", line=10),
    )
