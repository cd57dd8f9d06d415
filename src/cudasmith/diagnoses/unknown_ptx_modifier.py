"""DG302."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class UnknownPtxModifier(PtxasError):
    """An asm statement holds an instruction that PTX does not have: an unknown name, or a modifier that this
    instruction does not take.

    The compiler passes the text of asm through unread; only ptxas, the assembler, reads it. Types are
    written as .s32, .u32, .f32, .b32; vectors are .v2 or .v4; the order of modifiers is fixed.

    Compare the instruction with its entry in the PTX manual, modifier by modifier. Often an intrinsic
    does the same without asm.
    """

    code = "DG302"
    name = "unknown-ptx-modifier"
    hides = ("DG308",)  # the operands of an unknown instruction never fit
    pattern = (
        r"(?:Unknown modifier|Not a name of any known instruction:|Illegal modifier) '(?P<quoted>[^']+)'"
    )
    fact = "{quoted} in an asm statement is not PTX"
    remedy = "compare the instruction that has {quoted} with its entry in the PTX manual, or use an intrinsic"
    CASES = (
        Case("ptxas_bad_asm", says=".s99", line=4),
        Case("ptxas_misaligned_vector", says=".v3", line=6),
    )
