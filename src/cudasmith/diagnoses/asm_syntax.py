"""DG309."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class AsmSyntax(PtxasError):
    """The assembler cannot parse the text of an asm statement.

    A comma, a semicolon after an instruction or a bracket is missing; lines glued without \n or ; also
    end so. The line number is that of a temporary .ptx file, and counts the text after the operands were
    put in.

    End every instruction with ;, separate lines with \n\t, and look at the text just before what the
    message quotes.
    """

    code = "DG309"
    name = "asm-syntax"
    pattern = r"Parsing error near '(?P<near>[^']*)'"
    fact = "the assembler cannot read an asm statement near '{near}'"
    remedy = (
        "look for a missing comma or semicolon just before '{near}'; nvcc --keep leaves the .ptx file "
        "that the line number belongs to"
    )
    CASES = (Case("ptxas_syntax", says="near '1'"),)
