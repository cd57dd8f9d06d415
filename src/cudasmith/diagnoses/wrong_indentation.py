"""DG104."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText


class WrongIndentation(FaultyText):
    """The indentation of a line fits no block.

    A body must stand further right than its `def`, `class`, `if` or `for`, and all lines of a body equally far. Copying
    code out of a page or joining two answers shifts lines.

    Move the named line to the column of the block it belongs to; a body that is empty on purpose needs `pass`.
    """

    code = "DG104"
    name = "wrong-indentation"
    type = "IndentationError"
    told = r"^(?P<what>expected an indented block.*|unexpected indent|unindent does not match.*)"
    fact = "the indentation is wrong: {what}"
    remedy = "move the line to the column of its block (four columns per level); an empty block needs `pass`"
    CASES = (
        Case("indent_in_python", says="line 3", line=4),
        Case("unexpected_indent", says="unexpected indent", line=4),
    )
