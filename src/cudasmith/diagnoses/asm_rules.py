"""DG293."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class AsmRules(Family):
    """An `asm` statement and its operands do not fit each other.

    Each operand has a letter that says what it is: "h" 16 bits, "r" 32 bits, "l" 64 bits, "f" float, "d"
    double, "n" a constant; "=" before it writes, "+" reads and writes. The C++ variable must have just that
    size and kind. %0, %1, ... count outputs and inputs together from 0; a percent sign of PTX itself, as in
    %tid, is written twice.

    Compare each operand's letter with its variable's type, and count the %numbers. Convert pointers to
    shared memory with `__cvta_generic_to_shared` and pass them as "r".
    """

    code = "DG293"
    name = "asm-rules"
    CASES = (
        Case("asm_wrong_letter", says="'f'", line=7),
        Case("asm_operand_not_given", says="operand", line=7),
    )
    SAYINGS = (
        Saying(
            (
                "asm operand type size(`n`)",
                "asm operand type size(...) does not match type/size implied by constraint `c`",
            ),
            "an asm operand is of another size or kind than its letter '{c}' says",
            "h: 16 bits, r: 32, l: 64, f: float, d: double; convert the variable or change the letter",
        ),
        Saying(
            (
                "asm constraint letter `c` is not allowed",
                "an asm operand may specify only one constraint",
                "The `c` constraint can only",
                "No constraint modifiers",
                "invalid constraint",
                "impossible constraint in `asm`",
                "inconsistent operand constraints",
            ),
            "an asm operand has a letter that device code does not know",
            "h: 16 bits, r: 32, l: 64, f: float, d: double, n: constant",
        ),
        Saying(
            (
                "an asm operand must have scalar type",
                "an asm operand must be an integral constant",
                "expected an asm operand",
                "a compound lvalue is not allowed as an asm",
            ),
            "an asm operand is neither a number nor a pointer",
            "pass single numbers: the members of a vector one by one",
        ),
        Saying(
            (
                "an asm output operand must have one of",
                "output operand constraint lacks",
            ),
            "an asm output lacks its =",
            'write "=f"(v), or "+f"(v) if it is read as well',
        ),
        Saying(
            (
                "an asm input operand may not have the",
                "input operand constraint contains",
            ),
            "an asm input has = or +",
            "write it before the second colon, among the outputs",
        ),
        Saying(
            (
                'Internal Compiler Error (codegen): "asm operand index requested',
                "invalid operand number in asm",
                "invalid `asm`: operand number",
                "asm operand index",
            ),
            "the asm text names an operand %number that is not given",
            "count outputs and inputs together from 0, and give the missing one",
        ),
        Saying(
            (
                "'%' must be followed by a digit",
                "Asm operand modifier not supported",
            ),
            "a percent sign in the asm text is neither an operand nor written twice",
            "write %% for a % of PTX: %%tid.x",
        ),
        Saying(
            (
                "The cc clobber constraint",
                "unknown register name `r`",
                "an empty clobbers list",
            ),
            "the last part of the asm names a register that does not exist here",
            'only "memory" may stand there in device code',
        ),
        Saying(
            (
                "expected an asm string",
                '"asm" is not allowed',
                'an "asm" declaration is not allowed',
            ),
            "an asm statement stands or begins wrongly",
            'asm volatile("text;" : outputs : inputs); inside a function',
        ),
    )
