"""DG315."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._ptxas import in_a_literal
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class PtxRules(Family):
    """The assembler refuses an instruction: its operands, modifiers or place break a rule of PTX.

    nvcc passes the text of an asm statement on as it is; only ptxas reads it, in a file that was generated, so its line
    numbers mean nothing. It names the instruction and the number of the operand, counted from 0 at the destination.

    Find the asm statement with that instruction, and compare the entry of the PTX manual: types and number of operands, the
    state space of addresses (shared addresses are 32-bit, from __cvta_generic_to_shared), and the order of modifiers.
    """

    code = "DG315"
    name = "ptx-rules"
    CASES = (
        Case("ptx_modifiers_differ", says="ex2", line=8),
        Case("ptx_label_unknown", says="DONE", line=7),
        Case("ptx_shuffle_without_sync", says="shfl", line=7),
    )
    SAYINGS = (
        Saying(
            ("Argument ... of instruction `instruction`", "Argument ... of `instruction` instruction"),
            "an operand of {instruction} in an asm statement is not what the instruction takes",
            "compare the operand with the entry of {instruction} in the PTX manual; operands count from 0, the destination",
        ),
        Saying(
            (
                "Arguments mismatch for instruction `instruction`",
                "Argument vector size mismatch for instruction `instruction`",
                "Illegal operand type to instruction `instruction`",
                "Illegal instruction types specified for `instruction`",
                "Mismatch between instruction type",
                "Operands of instruction `instruction`",
                "Unexpected number of operands",
            ),
            "the operands of {instruction} in an asm statement do not fit it, in number or type",
            "compare them with the entry of {instruction} in the PTX manual; the letters of the asm operands give the types",
        ),
        Saying(
            (
                "... modifier required for instruction `instruction`",
                "Illegal modifier `modifier` for instruction `instruction`",
                "Modifier `modifier` ... `instruction`",
                "Illegal rounding modifier for instruction `instruction`",
                "Illegal cache operation for instruction `instruction`",
                "Illegal reduction operation for instruction `instruction`",
                "Rounding modifier required for instruction `instruction`",
                "Illegal matrix shape `modifier` for instruction `instruction`",
                "Duplicate `modifier` modifier specified for instruction `instruction`",
                "Type ... modifier ... `instruction`",
            ),
            "the modifiers of {instruction} in an asm statement do not go together",
            "compare them, and their order, with the entry of {instruction} in the PTX manual",
        ),
        Saying(
            (
                "Illegal state space for address operand `modifier` with instruction `instruction`",
                "Global state space expected for instruction `instruction`",
                "State space mismatch between instruction and address in instruction `instruction`",
                "State space incorrect for instruction `instruction`",
                "Illegal Addressing Mode in instruction `instruction`",
                "Address expected for argument",
                "Illegal address",
            ),
            "an address in an asm statement is of another memory than {instruction} takes",
            "pass shared addresses as 32-bit numbers from __cvta_generic_to_shared, global ones from __cvta_generic_to_global",
        ),
        Saying(
            (
                "Unknown symbol `instruction`",
                "Label expected for forward reference of `instruction`",
                "Undefined label `instruction`",
                "Label `instruction`",
                "Unexpected symbol",
            ),
            "an asm statement uses the name {instruction}, which it does not declare",
            "declare registers with .reg inside braces of the same asm text; labels end in a colon and carry %= in their name",
        ),
        Saying(
            (
                "Duplicate definition of variable `instruction`",
                "Duplicate definition of label `instruction`",
                "Duplicate definition of function `instruction`",
            ),
            "the name {instruction} of an asm statement is defined twice, since the statement is compiled in several places",
            "put the asm text into braces {{ ... }}, or write %= behind the name",
        ),
        Saying(
            ("Instruction `instruction` without `modifier` is not supported",),
            "{instruction} in an asm statement needs {modifier}",
            "write it behind the instruction's name, with the mask of threads as its operand",
        ),
    )

    def errors(self, log: Log) -> tuple[Said, ...]:
        return tuple(s for s in log.said if s.tool == "ptxas")

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The one asm text that has the instruction."""
        instruction = words.get("instruction", "")
        return only_place(candidate, in_a_literal(instruction)) if instruction else None
