"""DG279."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf"an explicit template argument list is not allowed on this declaration|too few template-parameter-lists"
    rf"|template-id {Q}.*{Q} in declaration of primary template"
)


class SpecialisationWithoutTemplate(Diagnosis):
    """A version of a template for one type lacks `template <>` before it, or is the first to have that name.

    `float act<float>(float v)` says neither that it is a template nor of which. The version for one type is written
    `template <> __device__ float act<float>(float v)`, with the marks of the template itself.

    Write `template <>` before it, or leave `<float>` out: an overload serves as well.
    """

    code = "DG279"
    name = "specialisation-without-template"
    CASES = (Case("specialisation_without_template", says="template <>", line=10),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        help = "write template <> before it, with the __device__ of the template, or leave <...> out"
        return hit_at(found[0], "the version of a template for one type lacks template <>", help)
