"""DG291."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._place import function_span, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class LaunchRules(Family):
    """Something is launched that is no kernel, or the launch brackets hold what they cannot.

    `<<<blocks, threads, shared bytes, stream>>>` belongs to a `__global__` function, takes two to four
    values, and stands between the kernel's name (with its template arguments) and its arguments. A launch
    gives no value.

    Mark the function `__global__ void`, or call it without the brackets. Give at least blocks and threads.
    """

    code = "DG291"
    name = "launch-rules"
    CASES = (Case("launch_of_no_kernel", says="no kernel", line=4),)
    SAYINGS = (
        Saying(
            (
                "a host function call cannot be configured",
                "a ... function call cannot be configured",
            ),
            "a function that is no kernel is launched with <<<...>>>",
            "write __global__ void before that function, or call it without <<<...>>>",
        ),
        Saying(
            ("a __global__ function call must be configured",),
            "a kernel is called without <<<...>>>",
            "write kernel<<<blocks, threads>>>(...)",
        ),
        Saying(
            ('expected a ">>>"',),
            "the launch has no >>>",
            "write kernel<<<blocks, threads, bytes, stream>>>(...), with brackets around a > inside",
        ),
        Saying(
            ("explicit stream argument not provided",),
            "the launch has no stream, and a flag asks for one",
            "give it as the fourth value: at::cuda::getCurrentCUDAStream()",
        ),
        Saying(
            (
                "too few arguments in kernel launch",
                "too many arguments in kernel launch",
                "kernel launch needs",
            ),
            "the launch brackets hold too few or too many values",
            "<<<blocks, threads, shared bytes, stream>>>: the last two may be left out",
        ),
    )

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The definition of the function that is launched and is no kernel."""
        place = spot(log, said, candidate) if "cannot be configured" in said.text else None
        launched = re.search(r"(\w+)\s*(?:<[^<>]*>)?\s*<<<", place.text) if place is not None else None
        return function_span(place.region, launched[1]) if place is not None and launched else None
