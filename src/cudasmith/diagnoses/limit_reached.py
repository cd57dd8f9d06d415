"""DG712."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import line_span
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_TOLD = re.compile(
    r"^(?P<step>[\w .,'/+-]+?)(?:, line (?P<line>\d+))?: "
    r"(?:not done after (?P<s>[\d.e+]+) s|ended for using more than (?P<gb>[\d.]+) GB of memory)$"
)
_REMEDIES = {
    "device": "many instances of templates, long unrolled loops and several architectures take nvcc long: build for one with "
    "--arch, instantiate less, write #pragma unroll with a number",
    "host": "large headers and deep templates take the compiler long: include only what is used",
    "load_inline": "torch's own build takes one to two minutes, longer beside other work; --builder fast takes seconds",
    "the file itself": "the file is run, since its sources are put together there: move what is slow behind the build, or "
    "under `if __name__ == '__main__':`",
}


class LimitReached(Diagnosis):
    """A build was ended because it reached the limit on its time or its memory.

    The limit is cudasmith's: --timeout counts from the start of each step, 600 s unless another is given, so that a compiler that
    never ends does not hold you up. The step is named: device code (nvcc's own compiler and assembler), host code, linking,
    torch's load_inline as a whole, or the file itself where it has to be run.

    Give --timeout more seconds where the step needs them, or make it smaller: fewer instances of templates, bounded unrolling,
    one architecture, fewer headers.
    """

    code = "DG712"
    name = "limit-reached"
    CASES = (
        Case("limit_device_code", says="device code of cuda.cu was not done after 2 s"),
        Case("limit_file_itself", says="the file itself was not done after 2 s", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_TOLD)
        if found is None:
            return None
        at, told = found
        file, _, half = told["step"].rpartition(", ")
        step = f"{half} of {file.rpartition('/')[2]}" if file else told["step"]
        remedy = next((text for word, text in _REMEDIES.items() if word in told["step"]), "")
        if told["gb"]:
            message = f"the build of {step} took more than {told['gb']} GB of memory and was ended"
            return Hit(message, at, remedy or "build less at once", span=_line(told, candidate))
        more = "give more time with --timeout SECONDS"
        message = f"{step} was not done after {told['s']} s"
        return Hit(message, at, f"{more}; {remedy}" if remedy else more, span=_line(told, candidate))


def _line(told: re.Match[str], candidate: Candidate | None) -> Span | None:
    return line_span(candidate, int(told["line"])) if told["line"] and candidate is not None else None
