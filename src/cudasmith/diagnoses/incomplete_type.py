"""DG287."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class IncompleteType(Family):
    """A type is used of which the compiler knows no more than the name, or which nothing can have.

    `struct P;` announces a type; its size and members come with the definition. `void` is the type of
    nothing: a variable cannot have it, only a pointer. An array without a number in its brackets has no
    size, and takes memory only where `extern __shared__` says that the launch gives it.

    Define or include the type before this line. Write the size of an array; for shared memory given at the
    launch write `extern __shared__ float s[];`. Give variables a type other than void.
    """

    code = "DG287"
    name = "incomplete-type"
    CASES = (
        Case("shared_array_without_size", says="float []", line=6),
        Case("void_variable", says="void", line=6),
        Case("gxx_incomplete_struct", says="announced", line=6),
    )
    SAYINGS = (
        Saying(
            (
                'incomplete type "void" is not allowed',
                "variable or field `n` declared void",
                "array of void is not allowed",
                "a parameter may not have void type",
                "invalid use of «void»",
                "void expression",
                'a value of type "void"',
                "invalid use of void expression",
            ),
            "void is used where a value is needed: nothing has the type void",
            "write the type of the value; a function that returns void has no result",
        ),
        Saying(
            (
                "incomplete type `t` is not allowed",
                "array size missing in `t`",
                "storage size of `t` isn",
            ),
            "{t} has no known size here",
            "an array needs a number in its brackets: shared memory that the launch gives is declared extern __shared__ float s[]; a class needs its definition above",
        ),
        Saying(
            (
                "invalid use of incomplete type `t`",
                "field `f` has incomplete type `t`",
                "`n` has incomplete type",
                "variable `n` has initializer but incomplete type",
                "aggregate `n` has incomplete type",
                "pointer or reference to incomplete type `t`",
                "function returns incomplete",
                "cannot convert to incomplete",
                "invalid application of `op` to incomplete type `t`",
            ),
            "a type is used that is only announced, not defined, here",
            "include the header that defines it, or move its definition above this line",
        ),
    )
