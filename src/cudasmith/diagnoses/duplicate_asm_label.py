"""DG306."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class DuplicateAsmLabel(PtxasError):
    """A label or register that an asm statement declares is declared twice in one kernel.

    The function with the asm is inlined, or its loop unrolled, so that its text stands twice in the same
    PTX function, and the name with it.

    Put the whole statement in braces, `{ ... }`, which makes its names local, and write labels with %=
    (a number of its own for each copy): `WAIT%=:`. Or mark the function __noinline__.
    """

    code = "DG306"
    name = "duplicate-asm-label"
    pattern = r"Duplicate definition of (?P<what>\w+) '(?P<name>[\w$%.]+)'"
    fact = "the {what} {name} of an asm statement is defined twice in one kernel"
    remedy = (
        "put the asm text in {{ }} and write the label as {name}%=, so that each inlined copy has its own"
    )
    CASES = (Case("ptxas_duplicate_label_global", says="variable p"),)
