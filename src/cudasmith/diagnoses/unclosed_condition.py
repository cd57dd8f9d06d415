"""DG208."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class UnclosedCondition(Diagnosis):
    """An `#if`, `#ifdef` or `#ifndef` and its `#endif` do not pair.

    Each condition of the preprocessor needs one `#endif` in the same text. A guard that was copied from a header without its
    last line leaves one open; a deleted guard leaves an `#endif` or `#else` behind.

    Add the missing `#endif`, or delete the line that has no partner. Code given to load_inline needs no include guard.
    """

    code = "DG208"
    name = "unclosed-condition"
    CASES = (
        Case("missing_endif", says="#ifndef has no #endif", line=5),
        Case("unbalanced_endif", says="#endif has no #if", line=6),
        Case("no_endif_else", says="#else has no #if", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, r"unterminated (?:conditional directive|#?(?P<open>if\w*))|(?P<stray>#\w+) without #if"
        )
        if found is None:
            return None
        said, match = found
        if match["stray"]:
            return hit_at(
                said,
                f"this {match['stray']} has no #if",
                "delete this line, or write the #if that belongs to it",
            )
        directive = f"#{match['open']}" if match["open"] else "#if"
        return hit_at(said, f"this {directive} has no #endif", "write #endif where the conditional part ends")
