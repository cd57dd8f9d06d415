"""DG251."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate


def _takes_whole_numbers(log: Log, said: Said) -> bool:
    """Whether the line has such an operator: cudafe++ says the same of two pointers that are added."""
    shown = detail(log, said, r"^(?:\s*\d+ \|)?\s*(?P<source>\S.*)$")
    return shown is None or re.search(r"[%^|~]|<<|>>|[^&]&[^&]|\[", shown["source"]) is not None


class WholeNumbersOnly(Diagnosis):
    """An operator for whole numbers is used on a floating point value.

    `%`, `<<`, `>>`, `&`, `|`, `^` and `~` work on the bits of integers. `^` is no power.

    Use `fmodf(a, b)` for the remainder and `powf` or a product for a power; convert to int where an integer is meant.
    """

    code = "DG251"
    name = "whole-numbers-only"
    CASES = (Case("mod_float", says="whole numbers", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf"expression must have integral|invalid operands of types (?!.*[*\[]).* to binary {Q}operator(?:%|<<|>>|&|\||\^){Q}",
        )
        if found is None or not _takes_whole_numbers(log, found[0]):
            return None
        help = "use fmodf(a, b) instead of %, powf instead of ^, or convert to int"
        return hit_at(
            found[0], "this operator takes whole numbers only, and is given a floating point value", help
        )
