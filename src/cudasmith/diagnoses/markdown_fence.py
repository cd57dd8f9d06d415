"""DG101."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import line_span
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._python import removed_line, syntax_frame
from cudasmith.model import Candidate

_FENCE = re.compile(r"(?:```|~~~)[\w+-]*$")


class MarkdownFence(Diagnosis):
    """A line of Markdown, ``` with or without a language, stands in the Python file.

    Models answer in Markdown, and the file was saved with the marks around the code block. Python reads the marks as
    code and stops there.

    Take the line out. There is mostly a second one at the other end of the file, and often prose around both:
    keep only what stands between the marks.
    """

    code = "DG101"
    name = "markdown-fence"
    hides = ("DG113",)
    CASES = (Case("fence_in_python", line=1), Case("fence_at_end", line=4))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("SyntaxError", "")
        frame = syntax_frame(log, found[0]) if found else None
        if found is None or frame is None or not _FENCE.match(frame[2]):
            return None
        return hit_raised(
            found[0],
            f"line {frame[1]} is Markdown: {frame[2]}",
            "delete the line, and the other fence of the pair",
            span=line_span(candidate, frame[1]) if candidate else None,
            fix=removed_line(frame[1]) if candidate else None,
        )
