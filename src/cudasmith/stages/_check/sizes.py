"""The sizes of a problem's inputs, for the rules that judge launches at them."""

from __future__ import annotations

import attrs

from cudasmith.model import Candidate, Capture
from cudasmith.source.needed import only_needed
from cudasmith.stages.capture import capture
from cudasmith.stages.read import from_source


def sizes_of(reference: Candidate) -> Capture:
    """What forward of the reference is called with. Its kernels, if it has any, are not built.

    Raises: ProblemError, in the words of `port`.
    """
    problem = from_source(reference.text, reference.path)
    alone = {problem.class_name, "get_inputs", "get_init_inputs"}
    return capture(attrs.evolve(problem, source=only_needed(problem.source, alone, name=problem.path)))
