"""DG294."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class TemplateArguments(Family):
    """The arguments in a template's angle brackets are too few, too many, or of the wrong kind.

    A template lists its parameters: `typename T` takes a type, `int N` a constant, in that order. A class
    template needs all that have no default; a function template those that its arguments do not show.
    Values that are computed at run time are no template arguments.

    Compare the list with the template's first line, one by one.
    """

    code = "DG294"
    name = "template-arguments"
    CASES = (
        Case("template_argument_missing", says="too few", line=7),
        Case("template_argument_surplus", says="more arguments", line=7),
        Case("type_for_number", says="a type stands", line=7),
        Case("gxx_template_argument_count", says="too few or too many", line=6),
        Case("gxx_type_for_number", says="template argument", line=6),
        Case("gxx_no_template", says="Vec", line=6),
    )
    SAYINGS = (
        Saying(
            (
                "too few arguments for ~`t`",
                "too few template arguments",
                "wrong number of template arguments (...)",
                "too few arguments for class template",
            ),
            "a template is given too few or too many arguments in < >",
            "compare them with the template's parameters, one by one",
        ),
        Saying(
            (
                "too many arguments for ~`t`",
                "too many template arguments",
            ),
            "a template is given more arguments in < > than it has parameters",
            "compare them with the template's parameters, one by one",
        ),
        Saying(
            (
                "argument list for ~`t` is missing",
                "missing template arguments before",
                "invalid use of template-name `t` without an argument list",
                "use of class template `t` requires",
                "cannot deduce class template arguments",
                "class template argument deduction failed",
                "no viable template argument deduction",
            ),
            "the template {t} is used without its arguments",
            "write {t}<...> with the type or number that it needs",
        ),
        Saying(
            (
                "type/value mismatch at argument",
                "expected a template argument",
                "argument of type `a` is incompatible with template parameter of type `b`",
                "template argument for template type parameter must be",
                "expected a type, got `a`",
                "expected a constant of type `a`, got",
            ),
            "a template argument is a value where a type is expected, or the reverse",
            "compare the list with the template's first line: typename takes a type, int a constant",
        ),
        Saying(
            (
                "type name is not allowed",
                "expected primary-expression before `t` token in template",
                "a type name where",
            ),
            "a type stands where a value is expected: {at}",
            "a template parameter int N takes a number; a conversion is T(v); a member template of a template parameter is called as v.template f<T>(); a list of types is not a list of values",
        ),
        Saying(
            (
                "template argument list must match",
                "template argument ... involves template parameter",
                "this operator is not allowed in a template argument",
                "invalid nontype template argument of type `t`",
                "non-integral operation not allowed in nontype",
                "a template argument may not reference a non-external entity",
                "`v` is not a valid template argument",
                "a template argument may not",
            ),
            "this cannot be a template argument",
            "it must be a type or a constant that the compiler can compute: make the variable constexpr",
        ),
        Saying(
            (
                "`t` is not a template",
                "~`t` cannot be called with the given argument list",
                "~`t` is not a class template",
                "~ is not a template",
                "`t` is not a class or function template",
                "a template-id is not allowed",
                "~`t` may not have a template argument list",
                "expected template-name before",
            ),
            "{t} is no template and is given < >, or does not take these arguments",
            "leave out <...>, or declare template <...> before its definition; a name in a namespace is written with it",
        ),
    )
