"""DG295."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class TemplateForm(Family):
    """A template is declared, specialised or instantiated in a form that C++ does not have.

    Templates stand at namespace or class scope, never in functions. A version for certain arguments begins
    with `template <>` and repeats the general form; functions cannot be specialised in part. An explicit
    instantiation names a function that the template really gives. A recursion of templates needs an end: a
    version, or an `if constexpr`, that calls no further one.

    Move the template out of the function. For a version that differs in part, overload the function or use
    `if constexpr`.
    """

    code = "DG295"
    name = "template-form"
    CASES = (
        Case("template_in_function", says="inside a function", line=6),
        Case("instantiation_unlike_template", says="fits no template", line=5),
        Case("recursion_without_end", says="without an end", line=6),
        Case("gxx_partial_function", says="in part", line=5),
        Case("gxx_template_in_function", says="inside a function", line=5),
    )
    SAYINGS = (
        Saying(
            (
                "a template declaration is not allowed here",
                "a template declaration cannot appear at block scope",
            ),
            "a template is declared inside a function",
            "move it to namespace scope, before the function; inside, use a lambda with auto parameters",
        ),
        Saying(
            (
                "no instance of ~`t` matches the specified type",
                "template-id `t` for `f` does not match any template",
                "explicit instantiation of `t` ... no definition",
                "no instance of ~`t` matches the required type",
                "~ is not an entity that can be explicitly specialized",
                "~ is not an entity that can be instantiated",
                "`t` is not a template function",
                "no member function `t` declared",
                "`f` does not match any template declaration",
            ),
            "an explicit instantiation or specialisation fits no template of that name",
            "repeat the template's own parameter list with the types put in",
        ),
        Saying(
            (
                "partial specialization of",
                "non-type partial specialization",
                "function template partial specialization `t` is not allowed",
                "non-class, non-variable partial specialization `t` is not allowed",
                "an explicit template argument list is not allowed on this declaration",
                "a template argument list is not allowed in a declaration of a primary",
            ),
            "a function is specialised in part",
            "overload it, or use if constexpr inside the general one",
        ),
        Saying(
            (
                "excessive recursion at instantiation of ~`t`",
                "template instantiation depth exceeds",
                "too many recursive substitutions",
                "excessive recursive instantiation",
            ),
            "a template uses itself without an end",
            "add the version that ends it (template <> struct ...<0>), or an if constexpr around the recursive use",
        ),
        Saying(
            (
                "explicit specialization of",
                "explicit specialization in non-namespace scope",
                "explicit specialization is not allowed in the current scope",
                "explicit template specialization cannot",
                "specialization of `t` after instantiation",
                "specialization of `t` in different namespace",
                "~ explicitly instantiated more than once",
                "duplicate explicit instantiation",
                "explicit instantiation is not allowed in the current",
                "~ cannot be explicitly instantiated",
                "~ cannot be specialized in the current",
            ),
            "a specialisation or instantiation stands in the wrong place",
            "put it into the template's namespace, behind the template and before its first use, once",
        ),
        Saying(
            (
                "too few template-parameter-lists",
                "extraneous `t`",
                "this declaration cannot have multiple",
                "template parameter list for",
                "invalid explicit instantiation",
                "a template declaration containing a template parameter list",
                "too many template-parameter-lists",
                "template nesting depth does not match",
                "too few template parameters",
                "too many template parameters",
                "redeclared with ... template parameter",
            ),
            "the template <...> lists before a declaration are too many, too few or unlike the first",
            "one list for each enclosing template; template <> for a version with all arguments given",
        ),
        Saying(
            (
                "default template arguments",
                "a default template argument",
                "no default argument for `t`",
                "specifying a default argument when",
                "default argument for template parameter",
            ),
            "a default in template <...> is not allowed here, or missing",
            "defaults stand once, in the first declaration, and every later parameter has one too",
        ),
        Saying(
            (
                "template parameter `t` may not be redeclared",
                "declaration of `t` hides template parameter",
                "declaration of template parameter `t` shadows",
                "declaration of ... shadows template parameter",
                "template parameter ~ hides",
            ),
            "a name is used for a template parameter and once more",
            "rename one of the two",
        ),
        Saying(
            (
                "cannot be used because it follows a parameter pack",
                "template parameter pack not at end",
                "parameter pack `t` must be at the end",
                "parameter pack `t` was referenced but not expanded",
                "parameter packs not expanded",
                "expansion pattern",
                "pack expansion",
                "fold expression",
            ),
            "a parameter pack stands wrongly or is not expanded",
            "the pack comes last; write args... where it is used",
        ),
        Saying(
            (
                "template parameter declaration is missing",
                "expected a template parameter list",
                "empty template parameter",
            ),
            "template lacks its parameter list",
            "write template <typename T>",
        ),
        Saying(
            (
                "need `t` before `u` because",
                'use the "typename" keyword to treat',
                "dependent-name `t` is parsed as a non-type",
                "nontype ~`t` ... is not a type name",
            ),
            "a type that depends on a template parameter lacks typename",
            "write typename before it",
        ),
        Saying(
            (
                "`template` (as a disambiguator)",
                'use the "template" keyword',
                'the "template" keyword used',
                'name following "template" must be',
            ),
            "the word template stands or lacks before a member",
            "v.template f<T>() where v depends on a template parameter; elsewhere without it",
        ),
        Saying(
            (
                "member ~ is not a template",
                "the initial explicit specialization",
            ),
            "a member is specialised that is no template",
            "compare with its declaration",
        ),
    )
