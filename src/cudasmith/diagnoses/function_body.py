"""DG297."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class FunctionBody(Family):
    """A function's definition stands where none can, or what it returns does not fit.

    C++ has no functions in functions, except lambdas. A function with a result returns it on every way
    through; `auto` results have one type; references and pointers to local variables are dead after the
    return.

    Move the function out, before the one that uses it, or write `auto f = [&](float v) { return v * v; };`.
    Give every return the declared type.
    """

    code = "DG297"
    name = "function-body"
    CASES = (
        Case("gxx_function_in_function", says="inside another", line=5),
        Case("gxx_returns_differ", says="different types", line=6),
        Case("gxx_not_constexpr", says="constant", line=6),
    )
    SAYINGS = (
        Saying(
            (
                "a function-definition is not allowed here",
                "a function definition is not allowed here",
                "local functions are not",
            ),
            "a function is defined inside another",
            "move it out, before this one; or write a lambda: auto f = [&](float v) {{ return v * v; }};",
        ),
        Saying(
            (
                "missing return statement at end of non-void",
                "missing return value",
                "non-void ~ should return a value",
                "no return statement in function returning non-void",
                "«return» with no value",
                "control reaches end",
            ),
            "a way through this function returns nothing",
            "write a return with a value at its end, or declare it void",
        ),
        Saying(
            (
                "deduced return type `a` conflicts with previously deduced type `b`",
                "inconsistent deduction for auto return type: `a` and then `b`",
                "inconsistent types `a` and `b` deduced for lambda return type",
                "cannot deduce the return type of",
            ),
            "the returns of this function have different types",
            "convert them to one type, or write the return type: -> float",
        ),
        Saying(
            (
                "a function may not return a value of this type",
                "function returning function",
                "function returning array",
                "`f` declared as function returning",
                "function returning abstract",
            ),
            "no function can return that type",
            "return a pointer, a struct, a std::vector or a tensor",
        ),
        Saying(
            (
                "returning reference to local",
                "reference to local variable",
                "address of local variable",
            ),
            "the result refers to a variable that ends with the function",
            "return by value",
        ),
        Saying(
            (
                "a void function may not return a value",
                "return-statement with a value, in",
                "return type does not match",
            ),
            "a function that returns nothing returns a value",
            "drop the value, or give the function a type",
        ),
        Saying(
            (
                "~ has already a body",
                "redefinition of default",
                "extra `q`",
                "too many parameters for this operator",
                "too few parameters for this operator",
                "`f` must have ... argument",
                "`f` must take",
                "operator may not be",
                '"operator..." must be a member',
            ),
            "the function's parameters do not fit what it is",
            "an operator has as many parameters as it has operands; default values stand once",
        ),
        Saying(
            (
                "call to non-«constexpr» function `f`",
                "cannot call non-constexpr ~`f`",
                "function call must have a constant value",
                "call to non-constexpr",
                "expression must have a constant value",
                "`v` is not a constant expression",
                "the value of `v` is not usable in a constant expression",
                "non-constant condition for static assertion",
                "constexpr function return is non-constant",
                "`v` was not initialized with a constant",
                "`v` in a constant expression",
                "a constexpr ... cannot have",
                "`v` is not literal",
                "the value of ~`v` cannot be used as a constant",
                "statement may not appear in a constexpr",
                "this call cannot be evaluated because",
            ),
            "a constant is needed, and this is computed at run time or by a function that is not constexpr",
            "mark variable and function constexpr, or do without the constant",
        ),
        Saying(
            (
                "no instance of ~ matches the argument list",
                "wrong number of arguments",
                "argument is incompatible with formal parameter",
                "argument of type `a` is incompatible with",
            ),
            "no function of that name takes these arguments",
            "compare number and types of the arguments with the function's declaration",
        ),
        Saying(
            (
                "more than one instance of ~ matches",
                "more than one constructor applies",
                "more than one conversion function",
                "more than one user-defined conversion",
                "call of overloaded `f` is ambiguous",
                "conversion from `a` to `b` is ambiguous",
                'ambiguous "?" operation',
            ),
            "several functions or conversions fit equally well",
            "convert the arguments explicitly, so that one fits exactly: static_cast<float>(...), 1.0f instead of 1.0",
        ),
        Saying(
            (
                "this operator is not allowed in a constant",
                "function call is not allowed in a constant",
                "expression must be an integral constant",
                "constant value is not known",
                "a default argument",
                "default argument of type",
            ),
            "a constant is needed here, and this is none",
            "make it constexpr, a template parameter or a #define",
        ),
        Saying(
            (
                "a parameter declaration may not have",
                "~ may not be initialized",
                "default argument is not allowed",
            ),
            "a start value stands where none can",
            "give it in a declaration of a variable, or of a function's parameter at its end",
        ),
    )
