"""DG283."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class NotAssignable(Family):
    """The left side of an assignment, or an argument for a reference, is nothing that can be written to.

    Results of calculations, calls by value and casts have no place in memory; whole arrays and names of
    functions have one, but cannot be assigned. A parameter `float&` takes a variable; it does not take `a *
    2`, nor a variable of another type, since that would have to be converted into a temporary first.

    Assign to a variable or an element. Pass a variable of exactly the reference's type, or declare the
    parameter by value or `const T&`. Compare with `==`; copy arrays element by element.
    """

    code = "DG283"
    name = "not-assignable"
    CASES = (
        Case("reference_to_computed_value", says="computed value", line=7),
        Case("gxx_array_assigned", says="array", line=6),
        Case("reference_of_other_type", says="reference", line=7),
    )
    SAYINGS = (
        Saying(
            (
                "expression must be an lvalue",
                "lvalue required as",
                "expression must be an lvalue or xvalue",
                "using temporary as lvalue",
                "using xvalue",
                "taking address of rvalue",
                "taking address of xvalue",
                "taking address of temporary",
            ),
            "this is a computed value, which has no place in memory",
            "put it into a variable first; write == where a comparison is meant",
        ),
        Saying(
            (
                "initial value of reference to non-const must be an lvalue",
                "cannot bind non-const lvalue reference of type `t` to",
                "invalid initialization of non-const reference of type `t`",
            ),
            "a reference that may be written through is given a computed value or one of another type",
            "pass a variable of exactly that type, or declare the parameter by value or as const reference",
        ),
        Saying(
            (
                "a reference of type `t` (not const-qualified) cannot be initialized with a value of type `v`",
                "a reference of type `t` cannot be initialized with a value of type `v`",
                "invalid initialization of reference of type `t` from expression of type `v`",
            ),
            "a reference to {t} is given a {v}",
            "pass a variable of that type, or declare the parameter by value or as const reference",
        ),
        Saying(
            (
                "qualifiers dropped in binding reference of type `t` to initializer of type `v`",
                "binding reference of type `t` to `v` discards qualifiers",
            ),
            "a reference that may be written through ({t}) is given a const value ({v})",
            "declare the reference const, or take a variable that is not",
        ),
        Saying(
            (
                "an rvalue reference cannot be bound to an lvalue",
                "cannot bind rvalue reference of type `t` to lvalue of type `v`",
            ),
            "a && parameter is given a variable",
            "write std::move(...), or declare the parameter const T&",
        ),
        Saying(
            (
                "invalid array assignment",
                "assignment to expression with array type",
                "invalid use of non-lvalue array",
                "array must be initialized with",
                "incompatible types in assignment of `v` to `t`",
                "assignment of `v` to `t`",
            ),
            "a whole array cannot be assigned",
            "copy its elements in a loop, or give the values in braces in its declaration",
        ),
        Saying(
            (
                "assignment of function",
                "assignment of member `m` in read-only",
                "increment of read-only",
                "decrement of read-only",
                "assignment of read-only",
            ),
            "this cannot be changed: it is const, or no variable",
            "write to another variable, or drop the const",
        ),
        Saying(
            (
                "the object has type qualifiers that are not compatible",
                "passing `t` as `this` argument discards qualifiers",
            ),
            "a member function that may change its object is called on a const one",
            "mark the member function const, or take the object without const",
        ),
    )
