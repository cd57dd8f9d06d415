"""DG408."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class TemplateNotInstantiated(Diagnosis):
    """A function template is called in one source and its body stands in another, so that nobody made this
    instance of it.

    The compiler makes an instance where it sees both the body and the call. With the template's body in
    cuda_sources and the call in cpp_sources neither file has both.

    Write an explicit instantiation after the body, `template void f<float>(...);`, for each type used;
    or bind a plain function that is defined beside the template.
    """

    code = "DG408"
    name = "template-not-instantiated"
    CASES = (Case("template_not_instantiated", says="relu<float>(long, long, int)", line=19),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "template")
        if seen is None:
            return None
        return Hit(
            f"the template {seen.name} is used here and instantiated nowhere",
            seen.at,
            f"write `template` and this instance after the body in cuda_sources: template {seen.name};",
            span=seen.span,
            notes=seen.notes,
        )
