"""DG102."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import line_span
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._python import removed_line, syntax_frame
from cudasmith.model import Candidate
from cudasmith.source.prose import looks_like_prose


class ProseInFile(Diagnosis):
    """A sentence stands in the Python file where code should be.

    An answer of a model was saved with its introduction or its closing remarks. Python's message is often about
    something else: the apostrophe of "Here's" opens a string that never ends.

    Delete the sentence, or make it a comment with # in front.
    """

    code = "DG102"
    name = "prose-in-file"
    hides = ("DG103", "DG113")
    CASES = (Case("prose_in_python", line=1),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("SyntaxError", "")
        frame = syntax_frame(log, found[0]) if found else None
        if found is None or frame is None or not looks_like_prose(frame[2]):
            return None
        return hit_raised(
            found[0],
            f"line {frame[1]} is a sentence, not Python: {frame[2][:60]}",
            "delete the line, or put # in front of it; look at the end of the file too",
            span=line_span(candidate, frame[1]) if candidate else None,
            fix=removed_line(frame[1]) if candidate else None,
        )
