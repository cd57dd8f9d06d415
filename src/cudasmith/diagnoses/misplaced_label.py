"""DG281."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class MisplacedLabel(Family):
    """A label, or a jump to one, does not fit the statement around it.

    `case` and `default` belong to the switch that encloses them directly; each value may stand there once.
    `goto` needs a label of the same function, and may not jump over a declaration with a start value. A
    brace that closes the switch too early has the same effect as a label outside.

    Write the label into its switch, or delete the second one of the same value; put braces around the
    statements of a case that declares variables. Instead of `goto` use a loop, a flag, or `return`.
    """

    code = "DG281"
    name = "misplaced-label"
    CASES = (
        Case("case_outside_switch", says="case", line=6),
        Case("label_not_defined", says="done", line=6),
        Case("case_twice", says="twice", line=8),
        Case("case_skips_declaration", says="skips", line=7),
    )
    SAYINGS = (
        Saying(
            (
                "a case label may only",
                "case label `x` not within a switch",
                "case label not within",
            ),
            "a case label stands outside of a switch",
            "put it between the braces of switch (...) {{ ... }}; was the switch closed too early?",
        ),
        Saying(
            (
                "a default label may only",
                "«default» label not within",
                "default label not within",
            ),
            "a default label stands outside of a switch",
            "put it between the braces of switch (...) {{ ... }}",
        ),
        Saying(
            (
                "case label value has already appeared",
                "duplicate case value",
                "default label has already appeared",
                "multiple default labels",
            ),
            "this label stands twice in one switch",
            "delete one of the two, or give it another value",
        ),
        Saying(
            (
                "label `label` was referenced but not defined",
                "label `label` used but not defined",
            ),
            "goto {label} finds no label {label} in this function",
            "write {label}: where it shall go on, or return",
        ),
        Saying(
            (
                "label `label` has already",
                "duplicate label `label`",
            ),
            "the label {label} stands twice in this function",
            "rename one",
        ),
        Saying(
            (
                "transfer of control bypasses initialization",
                "jump to case label",
                "jump to label",
            ),
            "a jump skips the declaration of a variable with a start value",
            "put braces around the statements of the case, or declare the variable before the switch or goto",
        ),
        Saying(
            (
                "this declaration cannot have a label",
                "a declaration cannot have a label",
            ),
            "a label stands directly before a declaration",
            "put braces around what follows the label",
        ),
    )
