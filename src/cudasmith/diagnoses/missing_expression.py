"""DG211."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import at_caret, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import end_before
from cudasmith.model import Candidate

_SAID = re.compile(
    r"expected an? (?:expression|statement)|expected primary-expression|.?else.? without a previous .?if"
)


class MissingExpression(Diagnosis):
    """The compiler expected a value or a statement and found something else.

    An operand is missing beside an operator, a placeholder such as `...` was left in the code, or an `else` has no `if`
    because more than one statement stands before it without braces.

    Complete the expression at the caret. Put braces around the statements between `if` and `else`.
    """

    code = "DG211"
    name = "missing-expression"
    CASES = (
        Case("return_before_brace", says="ends", line=7),
        Case("ellipsis_placeholder", says="placeholder", line=6),
        Case("missing_operand", says="a value is missing", line=6),
        Case("else_without_if", says='"else" has no "if"', line=10),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, match = found
        shown = detail(log, said, r"^(?:\s*\d+ \|)?\s*(?P<source>\S.*)$")
        source = shown["source"] if shown else ""
        if source.startswith("..."):
            return hit_at(
                said, "the placeholder ... stands where code should be", "write the code that it stands for"
            )
        if re.match(r"\}?\s*else\b", source) or at_caret(log, said).startswith("else"):
            help = "put { } around the statements between the if and this else; a ; behind the condition ends the if"
            return hit_at(said, 'this "else" has no "if": more than one statement stands before it', help)
        before = end_before(log, said, candidate)
        if before is not None and re.match(r"[})\]]", source):
            region, end = before
            help = 'write the value, or ";" after a return without one'
            return hit_at(
                said, "this line ends where a value has to follow", help, span=region.span(end - 1, end)
            )
        what = "statement" if "statement" in match[0] else "value"
        return hit_at(
            said,
            f"a {what} is missing here",
            "complete the expression at the caret, or delete what is left of it",
        )
