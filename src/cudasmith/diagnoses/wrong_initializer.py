"""DG286."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class WrongInitializer(Family):
    """A variable is given start values that its type does not take, or lacks the one that it needs.

    An array takes at most as many values as it has elements. A class is made by one of its constructors:
    where it has only those with arguments, `P p;` finds none. A const or a reference needs its value at
    once. Braces refuse conversions that lose digits, such as a double for a float or an int64_t for an int.

    Give as many values as there are elements, and the arguments that a constructor wants; write
    `static_cast<T>(v)` inside braces where a conversion is meant.
    """

    code = "DG286"
    name = "wrong-initializer"
    CASES = (
        Case("too_many_initializers", says="more start values", line=6),
        Case("no_default_constructor", says="Box", line=7),
        Case("gxx_value_does_not_convert", says="vector<int>", line=6),
        Case("class_template_not_deduced", says="Box", line=7),
        Case("narrowing_in_braces", says="lose digits", line=6),
    )
    SAYINGS = (
        Saying(
            (
                "too many initializer values",
                "too many initializers for `t`",
                "initializer-string for `t` is too long",
            ),
            "more start values are given than there are elements",
            "make the array longer or delete values",
        ),
        Saying(
            (
                "no default constructor exists for class `t`",
                "value-initialization of `t` has no",
                "the default constructor of `t` cannot be referenced",
                "could not default-construct `t`",
            ),
            "{t} cannot be made without arguments",
            "give its constructor what it needs, or write a constructor without parameters",
        ),
        Saying(
            (
                "no instance of constructor `t` matches",
                "more than one instance of constructor `t`",
                "no constructor of",
            ),
            "no constructor of {t} takes what is given here",
            "compare the values with the constructors of {t}, or with its members; a class template also needs its arguments in < >",
        ),
        Saying(
            (
                'initialization with "{...}" is not allowed for object of type `t`',
                "braces around scalar initializer for type `t`",
                "scalar object `n` requires one element",
                "a brace-enclosed list is not allowed here",
                'initialization with "{...}" is not allowed',
                "cannot convert `v` to `t` in initialization",
            ),
            "the start value in braces does not fit the type {t}",
            "write = value for a number or pointer; braces are for arrays and structs",
        ),
        Saying(
            (
                'initialization with "{...}" expected',
                "array must be initialized with a brace",
                "designator order",
                "initializer fails to determine size of `n`",
                "array size missing in `n`",
                "invalid initializer for array",
            ),
            "an array needs its values in braces, or a size",
            "write float a[4] = {{1.f, 2.f, 3.f, 4.f}};",
        ),
        Saying(
            (
                "invalid narrowing conversion from `a` to `b`",
                "narrowing conversion of `v` from `a` to `b`",
            ),
            "{a} may not become {b} here: it could lose digits or its sign",
            "write static_cast<{b}>(...) inside the braces, or ( ) instead of braces; as the size of an array it is a negative constant",
        ),
        Saying(
            (
                "const variable `n` requires an initializer",
                "uninitialized const `n`",
                "const object requires",
                "constexpr variable `n`",
                "missing initializer for constexpr",
            ),
            "the constant {n} has no value",
            "give it one in its declaration",
        ),
        Saying(
            (
                "reference ~`n` requires an initializer",
                "`n` declared as reference but not initialized",
            ),
            "the reference {n} refers to nothing",
            "write what it refers to: float& {n} = a[i];",
        ),
        Saying(
            (
                "~`n` has an uninitialized",
                "~`n` provides no initializer for",
                "uninitialized reference member",
                "uninitialized const member",
                "class `n` has no default",
                "implicitly generated constructor for class `n`",
            ),
            "{n} has a const or reference member without a value",
            "give every such member a value in the constructor's list",
        ),
        Saying(
            (
                "copy-list-initialization cannot use",
                "converting to `t` from initializer list would use explicit",
            ),
            "an explicit constructor cannot be used by = and a list in braces",
            "write the type before the braces",
        ),
        Saying(
            (
                "could not convert `v` from «<brace-enclosed initializer list>» to `t`",
                "could not convert `v` from `a` to `t`",
                "conversion from `a` to non-scalar type `t` requested",
                "cannot convert `a` to `t`",
                "could not convert template argument",
            ),
            "this value does not convert to {t}",
            "return or pass exactly that type; several values together are a struct, a std::vector or a std::tuple",
        ),
    )

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The value or the name at the caret."""
        found = spot(log, said, candidate)
        return found.expression_at_caret() if found is not None else None
