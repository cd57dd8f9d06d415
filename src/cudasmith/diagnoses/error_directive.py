"""DG227."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ErrorDirective(Diagnosis):
    """An `#error` line of the source or of a header stopped the compilation.

    Its author checks something there, most often the GPU architecture or the version of a tool, and refuses to go on.

    Read the text: it says what is required. Set the architecture with TORCH_CUDA_ARCH_LIST, or correct the condition around
    the line.
    """

    code = "DG227"
    name = "error-directive"
    CASES = (Case("user_error_directive", says="this kernel needs sm_100", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(r'#error:?\s*(?:directive: )?"?(?P<text>.*?)"?$', "g++") or log.first(
            r"#error directive: (?P<text>.*)", "nvcc"
        )
        if (
            found is None
            or "unsupported GNU version" in found[0].text
            or "unsupported clang" in found[0].text
        ):
            return None
        said, m = found
        return hit_at(
            said,
            f"an #error line stopped the compiler: {m['text']}",
            "meet the condition that its text names",
        )
