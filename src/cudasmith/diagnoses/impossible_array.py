"""DG288."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class ImpossibleArray(Family):
    """An array is declared with a size or elements that no array can have.

    The size is a constant of at least 1; a negative one comes from a calculation with constants that went
    wrong, or from an overflow. References, functions and void cannot be elements. The whole array must fit
    the memory that it lies in.

    Compute the constant by hand. Large arrays belong into global memory: allocate a tensor and pass its
    pointer.
    """

    code = "DG288"
    name = "impossible-array"
    CASES = (Case("negative_array_size", says="0 or less", line=6),)
    SAYINGS = (
        Saying(
            (
                "the size of an array must be greater than zero",
                "size `s` of array `n` is negative",
                "size of array `n` is negative",
                "size of array is negative",
                "an array dimension must",
                "a negative value is not permitted",
                "array size is negative",
                "zero-size array",
                "zero-sized variable",
                "expected an unsigned",
            ),
            "an array has the size 0 or less",
            "compute the constant in its brackets by hand",
        ),
        Saying(
            (
                "array is too large",
                "size of array `n` exceeds",
                "size of variable `n` is too large",
                "class is too large",
                "size `s` of array exceeds",
                "total size of array",
            ),
            "an array is larger than any memory",
            "allocate a tensor and pass its pointer",
        ),
        Saying(
            (
                "array of reference",
                "array of functions",
                "declaration of `n` as array of",
                "an array may not have elements of this type",
            ),
            "an array of references, functions or void is declared",
            "use an array of pointers or of values",
        ),
        Saying(
            (
                "size of array `n` has non-integral type",
                "expression in new-declarator must have integral",
                "array bound is not an integer",
            ),
            "the size of an array is no whole number",
            "convert it: static_cast<int>(...)",
        ),
    )
