"""DG109."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class FormatBraces(PythonError):
    """CUDA text is filled in with `.format(...)`, which takes the braces of the C++ blocks for its fields.

    To `str.format`, { opens the name of a field. The body of a kernel is no such name, so it raises a ValueError, an
    IndexError or a KeyError whose key is a piece of C++.

    Write {{ and }} for every brace that is meant for C++, or fill in with `.replace("BLOCK", str(block))`, which
    knows no braces.
    """

    code = "DG109"
    name = "format-braces"
    type = "ValueError|KeyError|IndexError"
    told = (
        r"^(?:unexpected '\{' in field name|Single '[{}]' encountered in format string"
        r"|expected '\}' before end of string|unmatched '[{}]' in format spec|'\\n[^']*'$|'[ ][^']*;[^']*'$"
        r"|Replacement index \d+ out of range for positional args tuple)"
    )
    fact = "str.format reads the braces of C++ as its own fields"
    remedy = "write {{{{ and }}}} for C++ braces, or use .replace(...) instead of .format(...)"
    CASES = (Case("format_key", line=5), Case("format_single_brace", line=5))
