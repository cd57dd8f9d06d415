"""What diagnoses share that one exception of Python decides."""

from __future__ import annotations

from typing import ClassVar

from cudasmith.diagnoses._diagnosis import Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class RaisedError(Diagnosis):
    """Base of the diagnoses that one exception decides; the place is the user's innermost line in its traceback.

    `types`: a regular expression for the exception's name. `pattern`: one for its text. `fact` and `remedy`:
    message and help, with the pattern's named groups.
    """

    types: ClassVar[str] = "RuntimeError"
    pattern: ClassVar[str]
    fact: ClassVar[str]
    remedy: ClassVar[str]

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception(self.types, self.pattern)
        if found is None:
            return None
        raised, match = found
        names = {key: value or "" for key, value in match.groupdict().items()}
        return hit_raised(
            raised,
            self.fact.format(**names),
            self.remedy.format(**names),
            span=user_frame(log, raised.at, candidate),
        )
