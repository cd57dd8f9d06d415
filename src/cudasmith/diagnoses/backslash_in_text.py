"""DG111."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText


class BackslashInText(FaultyText):
    """A plain string holds a backslash that begins one of Python's own codes, and the code is wrong.

    In a string without r in front, \\U, \\u, \\N and \\x announce a character by number or name. A path of Windows in a
    comment, or a macro continued over lines, can hold them by chance.

    Put r in front of the opening quotes: r\"\"\"...\"\"\". C++ then gets its backslashes as they are written, which is what
    printf("\\n") needs as well.
    """

    code = "DG111"
    name = "backslash-in-text"
    told = r"^\(unicode error\) 'unicodeescape' codec can't decode bytes.*: (?P<what>.*)|^\(value error\) invalid \\x escape"
    fact = "a backslash in this string is read as a character code of Python {what}"
    remedy = 'put r in front of the opening quotes: r"""..."""'
    CASES = (Case("unicode_escape", line=6),)
