"""DG296."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class DeclaredAgain(Family):
    """Two declarations of one name do not go together.

    A name may be declared several times, but always as the same thing: the same type, the same linkage, the
    same return type. Two functions of one name must differ in their parameters, not only in what they
    return. Parameters of one function, and variables of one block, all have names of their own. In the head
    of a `for`, the parts are separated by `;`: after a comma the compiler reads a further variable.

    Delete or rename one of the two, or make both alike.
    """

    code = "DG296"
    name = "declared-again"
    CASES = (
        Case("parameter_declared_twice", says="twice", line=4),
        Case("gxx_name_ambiguous", says="two meanings", line=9),
    )
    SAYINGS = (
        Saying(
            (
                "declaration is incompatible with",
                "conflicting declaration of",
                "conflicting types for",
                "ambiguating new declaration",
                "cannot overload functions distinguished by return type alone",
                "functions that differ only in their return type",
            ),
            "a name is declared twice, with different types",
            "make both declarations alike, parameters and return type",
        ),
        Saying(
            (
                "duplicate parameter name",
                "redefinition of `p`",
                "a parameter ... may not be redeclared",
                "declaration of `p` shadows a parameter",
                "`p` redeclared as different kind",
                "`p`, declared in for-loop initialization",
                "`p`, declared in condition",
                "`p` redeclared as",
                "redeclaration of `p`",
                "~`p` redeclared",
            ),
            "a name is declared twice in one place",
            "rename one of the two",
        ),
        Saying(
            (
                "invalid redeclaration of",
                "a type name may not be redeclared",
                "linkage specification is incompatible",
                "external/internal linkage conflict",
                "`p` was declared «extern» and later",
                "conflicting declaration ... with",
                "class member may not be redeclared",
                "`f` cannot be overloaded",
                "`f` cannot be overloaded with",
                "enumerator already declared",
                "~`p` has already been initialized",
                "`p` was previously declared",
                "~ may not be redeclared in the current scope",
                "inline specification is incompatible",
            ),
            "a declaration does not agree with an earlier one of the same name",
            "compare the two; write the same words in both, or rename one",
        ),
        Saying(
            (
                "`p` conflicts with a previous declaration",
                "reference to `p` is ambiguous",
                "`p` is ambiguous",
            ),
            "a name has two meanings here",
            "write the namespace before it, and drop `using namespace` where both come from",
        ),
    )
