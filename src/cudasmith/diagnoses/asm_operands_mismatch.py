"""DG308."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class AsmOperandsMismatch(PtxasError):
    """The operands of an instruction in an asm statement do not fit it: too few or too many, a wrong type or a
    wrong vector size.

    The assembler looks at the registers that the constraints name: "r" is a 32-bit integer, "l" 64 bits,
    "f" float, "d" double, "h" 16 bits. An integer instruction does not take an "f" register, and a name
    that is no register counts as a wrong operand.

    Count the operands against the instruction's entry in the PTX manual and let the constraints agree
    with its type suffix; move bits between float and int with __float_as_int.
    """

    code = "DG308"
    name = "asm-operands-mismatch"
    pattern = r"(?:Arguments mismatch for instruction|Argument vector size mismatch for instruction|Unexpected instruction types specified for) '(?P<quoted>[\w.:]+)'"
    fact = "the operands of {quoted} in an asm statement do not fit it"
    remedy = (
        "compare number and types of its operands with the PTX manual; the constraint letters must agree "
        "with the type suffix"
    )
    CASES = (
        Case("ptxas_missing_operand", says="mad.lo", line=6),
        Case("ptxas_operand_types", says="add", line=6),
        Case("ptxas_unknown_symbol", says="add", line=6),
    )
