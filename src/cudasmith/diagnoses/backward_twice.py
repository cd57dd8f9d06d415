"""DG534."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class BackwardTwice(RaisedError):
    """backward ran twice through one graph.

    The values saved for it are freed after the first time.

    Run the forward again, add the losses and call backward once, or pass retain_graph=True at the first
    call.
    """

    code = "DG534"
    name = "backward-twice"
    pattern = r"^Trying to backward through the graph a second time"
    fact = "backward ran a second time through a graph that was freed"
    remedy = "call backward once, run forward again before, or pass retain_graph=True to the first call"
    CASES = (Case("run_backward_twice", says="second time", line=6),)
