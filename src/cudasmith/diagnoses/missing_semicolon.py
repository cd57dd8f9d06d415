"""DG201."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class MissingToken(Diagnosis):
    """The compiler expected a `;`, `)` or `}` that is not there.

    It notices at the next thing it reads, so the mistake often stands at the end of the line before the one it names.

    Look at the named line and the one before it; close what is open.
    """

    code = "DG201"
    name = "missing-token"
    CASES = (
        Case("missing_semicolon", says='";"', line=6),
        Case("unbalanced_paren", says='")"', line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(re.compile(r'expected an? "(?P<token>[;)}\]])"'), "nvcc")
        if found is None or log.said[0] is not found[0]:
            return None
        said, match = found
        return hit_at(
            said,
            f'a "{match["token"]}" is missing',
            f'write the "{match["token"]}"; look at the line before too',
        )
