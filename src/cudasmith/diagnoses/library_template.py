"""DG299."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class LibraryTemplate(Family):
    """A template of a library does not compile with what the user's line gives it.

    The library's header was read without error; only when the template was filled in with the types of this
    line did an expression in it make no sense. The compiler names the place in the header, and under
    "required from here" the line that led to it.

    Compare this line with what the library takes: the number and the types of the arguments, and whether a
    type can be copied, compared or called. The header itself is right.
    """

    code = "DG299"
    name = "library-template"
    home = False
    header = r"."
    CASES = (Case("std_sort_of_struct", says="template of a library", line=8),)
    SAYINGS = (
        Saying(
            ("...",),
            "a template of a library does not compile with what this line gives it",
            "compare number and types of the arguments in this line with what the library takes; the log names the types under the error",
        ),
    )
