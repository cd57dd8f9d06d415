"""DG285."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class ImpossibleCast(Family):
    """A cast asks for a conversion that does not exist.

    `static_cast` converts numbers, and pointers only along a class hierarchy or from `void*`.
    `reinterpret_cast` reads memory as another type: it takes pointers, never values, and never drops a
    const. `const_cast` changes nothing but const. A struct converts only where a constructor or conversion
    function says how.

    Between numbers write `static_cast<T>(v)`. To read memory as another type, cast the pointer, const to
    const: `reinterpret_cast<const float4*>(x)[i]`. For the bits of a value use `__float_as_int(v)` and
    `__int_as_float(v)`.
    """

    code = "DG285"
    name = "impossible-cast"
    CASES = (
        Case("cast_drops_const", says="const", line=6),
        Case("static_cast_of_pointer", says="does not convert", line=6),
        Case("gxx_reinterpret_value", says="does not convert", line=5),
    )
    SAYINGS = (
        Saying(
            (
                "reinterpret_cast cannot cast away const...",
                "static_cast cannot cast away const...",
                "`cast` from type `a` to type `b` casts away qualifiers",
                "`cast` cannot cast away",
                "dynamic_cast cannot cast away",
            ),
            "the cast would drop a const",
            "cast to a pointer to const: const float4* instead of float4*; or take the data without const",
        ),
        Saying(
            (
                "invalid type conversion",
                "invalid `cast` from type `a` to type `b`",
                "invalid cast from type `a` to type `b`",
            ),
            "this cast does not convert between these types",
            "numbers: static_cast<T>(v); memory of another type: reinterpret_cast<const T*>(pointer); bits of a value: __float_as_int(v)",
        ),
        Saying(
            (
                "cast to type `t` is not allowed",
                "invalid cast to abstract",
                "type of cast must be",
                "invalid cast to function",
            ),
            "nothing can be cast to that type",
            "cast to a number, a pointer, or a class with a fitting constructor",
        ),
        Saying(
            (
                "a const_cast can only adjust",
                "invalid use of const_cast",
                "the type in a const_cast must",
            ),
            "const_cast is given another type",
            "const_cast only drops or adds const: combine it with static_cast or reinterpret_cast",
        ),
        Saying(
            (
                "cast from `a` to `b` loses precision",
                "cast from pointer to smaller",
            ),
            "a pointer ({a}) is cast to the smaller {b}",
            "use uintptr_t or int64_t",
        ),
        Saying(
            (
                "the type in a dynamic_cast",
                "the operand of a ... dynamic_cast",
                "cannot `cast` ... (source type is not polymorphic)",
            ),
            "dynamic_cast needs classes with virtual functions",
            "use static_cast",
        ),
    )
