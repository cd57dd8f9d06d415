"""DG110."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class PercentFormat(PythonError):
    """CUDA text is filled in with the % operator, which takes every % in it for a place to fill.

    `i % n` and the formats of printf hold percent signs that are meant for C++.

    Write %% for each of them, or fill in with `.replace("BLOCK", str(block))`, which knows no percent signs.
    """

    code = "DG110"
    name = "percent-format"
    type = "ValueError|TypeError"
    told = (
        r"^(?:unsupported format character|incomplete format|not enough arguments for format string"
        r"|not all arguments converted during string formatting|%[a-z] format: )"
    )
    fact = "the % operator reads percent signs of C++ as places to fill"
    remedy = "write %% for the percent signs of C++, or use .replace(...) instead of the % operator"
    CASES = (Case("percent_format", line=3), Case("percent_arguments", line=3))
