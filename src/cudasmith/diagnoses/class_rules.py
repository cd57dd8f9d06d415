"""DG298."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class ClassRules(Family):
    """A class, or a use of its members, breaks a rule of C++.

    Members belong to objects: one that is not static is reached by `object.member`, never by
    `Class::member` alone. `private` members are the class's own. Some functions are deleted, such as the
    copy of a std::unique_ptr; a class that only declares a virtual function as `= 0` has no objects. `this`
    and captured variables exist only where they are captured.

    Call the member on an object. Pass what cannot be copied by reference, or std::move it. In a lambda
    write `[=]` or `[&]`.
    """

    code = "DG298"
    name = "class-rules"
    CASES = (
        Case("gxx_member_without_object", says="without an object", line=6),
        Case("gxx_copy_of_unique_ptr", says="deleted", line=7),
        Case("gxx_two_types", says="go together", line=5),
    )
    SAYINGS = (
        Saying(
            (
                "a nonstatic member reference must be relative",
                "cannot call member function `f` without object",
                "invalid use of non-static",
                "invalid use of member `f`",
                '"this" may only be used',
                "invalid use of «this»",
                "«this» is unavailable",
                '"this" cannot be used',
            ),
            "a member is used without an object",
            "write object.member, or mark it static",
        ),
        Saying(
            (
                "use of deleted function `f`",
                "~`f` cannot be referenced -- it is a deleted function",
                "the default constructor of",
                "class `f` has no suitable copy",
                "class `f` has no copy",
            ),
            "{f} is deleted, or does not exist for such objects",
            "such objects cannot be copied: pass them by reference, or std::move them",
        ),
        Saying(
            (
                "~`f` is inaccessible",
                "`f` is private within",
                "`f` is protected within",
                "~ is inaccessible",
                "`f` is inaccessible",
                "protected ~ is not accessible",
                "`f` is not an accessible base",
            ),
            "{f} is private",
            "write struct instead of class, or public: before it",
        ),
        Saying(
            (
                "object of abstract class type `c`",
                "cannot declare variable `v` to be of abstract type `c`",
                "invalid abstract",
                "a cast to abstract class",
                "invalid new-expression of abstract class type `c`",
                "parameter of abstract",
            ),
            "{c} has functions that are only declared with = 0",
            "use a class derived from it that defines them",
        ),
        Saying(
            (
                "not a class or struct name",
                "`c` is not a class",
                "`c` is not a class or namespace",
                "`c` is not a class, namespace, or enumeration",
                "`c` is not a type name",
                "~`c` is not a type name",
                "`c` does not name a type",
                "`c` in ... does not name a type",
                "`c` is not a variable name",
                "type definition is not allowed",
                "name must be a namespace name",
                "`c` is not a namespace-name",
                "a namespace name is not allowed",
                "expected namespace-name",
                "invalid base class",
            ),
            "{c} is used as something that it is not: a type, a class, a namespace or a variable",
            "look at what {c} is declared as, and whether its header and namespace are named",
        ),
        Saying(
            (
                "qualified name is not a member of",
                "no ~`f` member function declared in",
                "no declaration matches `f`",
                "`f` is not a member of",
                "~`f` is not a nonstatic data member",
                "class ~ has no member",
                "qualified name is not allowed",
                "extra qualification `q`",
                "definition of `f` is not in namespace",
                "`f` should have been declared inside",
                "declaration of `f` not in a namespace",
                "~`f` cannot be defined in the current scope",
                "cannot define or redeclare",
            ),
            "a member is defined that the class or namespace does not declare so",
            "declare it there, with the same parameters and const",
        ),
        Saying(
            (
                "an enclosing-function local variable cannot be referenced",
                "`v` is not captured",
                "cannot capture",
                "invalid reference to an outer-scope local variable",
                "a local variable outside the current function scope",
                'the enclosing-function "this"',
                "explicit capture matches default",
                "`v` cannot be captured",
                "capture of variable",
                "a name cannot appear more than once in a capture",
            ),
            "a lambda uses a variable that it does not capture",
            "write [=] (copies) or [&] (references) in front of the lambda, or the name between [ ]",
        ),
        Saying(
            (
                "invalid use of `t`",
                "invalid use of",
            ),
            "this name cannot be used in this way",
            "look at what it is declared as: a type, a template, a member or a function",
        ),
        Saying(
            (
                "to be used with range-based",
                'this range-based "for"',
                'a range-based "for"',
                "«begin» was not declared",
                "«end» was not declared",
                "cannot deduce type of range",
                "range-based «for» expression",
            ),
            "for (v : range) runs over something that has no begin and end",
            "use an index: for (int i = 0; i < n; ++i)",
        ),
        Saying(
            (
                "storage class",
                "a storage class may not be",
                "more than one storage class",
                "invalid storage class",
                "invalid combination of type specifiers",
                "type qualifier specified more than once",
                "duplicate `q`",
                "two or more data types in declaration",
                "multiple types in one declaration",
                "a type specifier may not be used here",
                "more than one type specifier",
                "`q` and `r` specified together",
                "`q` specified with `r`",
                "conflicting specifiers",
                "invalid specifier",
                "«long long long»",
                "`q` invalid for `v`",
                "a type qualifier is not allowed",
                "declaration does not declare anything",
                "a declaration here must declare a parameter",
                "multiple storage classes",
                "storage class specified",
                "invalid type qualifier",
                "«auto» not allowed",
                '"auto" is not allowed here',
                '"auto" type cannot',
                '"inline" is not allowed',
                '"static" is not allowed',
                '"explicit" is not allowed',
                "mutable is not allowed",
                "this declaration is not valid here",
                "`static_assert` expression",
            ),
            "the words before a declared name do not go together",
            "write each once, storage (static, extern) first, then const, then one type",
        ),
        Saying(
            (
                "class `f` has no suitable assignment",
                "class `f` has no assignment",
                "ambiguous assignment operator for",
                "implicitly generated assignment operator",
            ),
            "objects of this class cannot be assigned",
            "it has const or reference members, or a deleted operator=: make a new object instead",
        ),
        Saying(
            (
                'name followed by "::" must be',
                "the global scope has no `c`",
                'name followed by "::~" must be',
                "~`c` has no member class",
                "namespace-qualified name is required",
                "`c` has not been declared",
            ),
            "{at} is no class or namespace that is declared here",
            "include the header that declares it, declare it above, or correct its spelling",
        ),
        Saying(
            (
                "pointer to reference is not allowed",
                "reference to reference is not allowed",
                "reference to void is not allowed",
                "cannot declare reference to",
                "cannot declare pointer to",
                "a function type is not allowed here",
                "forming reference to",
                "forming pointer to",
                "an array type is not allowed here",
            ),
            "no such type exists",
            "references and functions have no pointers and arrays of this kind: take the value or a pointer to it",
        ),
    )
