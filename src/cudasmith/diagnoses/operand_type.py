"""DG284."""

from __future__ import annotations

from cudasmith.diagnoses._compile import detail
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SWITCHED_OFF = r"operand types are: (?!.*c10::).*\b(?:__half2?|__nv_bfloat162?)\b"


class OperandType(Family):
    """An operator or a condition is given a value of a type that it does not work on.

    Each operator has its types: `%`, `^`, `&` and shifts take whole numbers, `&&` and conditions what
    converts to bool, `+` and `-` numbers, or one pointer and a whole number. Two pointers cannot be added;
    a tensor, a struct or a vector type such as float4 has only the operators that somebody wrote for it.

    Take the element, member or number that was meant: `x[i]` instead of `x`, `v.x` instead of `v`,
    `t.item<float>()` or `t.size(0)` instead of a tensor. For types of your own, write the operator as a
    function.
    """

    code = "DG284"
    name = "operand-type"
    CASES = (
        Case("condition_is_tensor_like", says="condition", line=6),
        Case("gxx_pointers_added", says="float*", line=5),
        Case("gxx_arrow_on_object", says="->", line=6),
    )
    SAYINGS = (
        Saying(
            (
                "expression must have bool type",
                "could not convert `v` from `t` to «bool»",
                "could not convert `v` to «bool»",
                "value of type `t` is not contextually convertible to «bool»",
            ),
            "a condition is given something that is neither true nor false: {at}",
            "a tensor has many values: write .any().item<bool>(), or compare .numel(), .item<float>(), .defined(); for others compare with a value",
        ),
        Saying(
            (
                "expression must have arithmetic...",
                "expression must have floating-point",
            ),
            "this operator needs numbers, and {at} is none",
            "take the number that is meant: an element [i], a member .x, or .item<float>() of a tensor",
        ),
        Saying(
            ("expression must have integral...",),
            "this operator needs whole numbers, and {at} is none: it is a pointer, a floating-point value or an object",
            "two pointers cannot be added; use fmodf instead of %, powf instead of ^; take the element or the number that is meant",
        ),
        Saying(
            (
                "expression must have (pointer-to-) function",
                "expression must have pointer-to-...",
                "expression must be a pointer to a complete object type",
                "type «int» argument given to «delete»",
            ),
            "{at} is used as a pointer and is none",
            "take its address with &, or use the value itself",
        ),
        Saying(
            (
                "operand types are incompatible (`a` and `b`)",
                "invalid operands of types `a` and `b` to",
                "operands to `op` have different types `a` and `b`",
                "comparison between distinct pointer types `a` and `b`",
                "ISO C++ forbids comparison between pointer and integer",
            ),
            "the operator does not work between {a} and {b}",
            "make both sides the same type: convert one, or take an element of the array; is a comma missing before the operator?",
        ),
        Saying(
            ("no match for `op` (operand types are `a` and `b`)",),
            "there is no {op} for {a} and {b}",
            "take the members, elements or numbers that are meant, or write that operator as a function",
        ),
        Saying(
            (
                "no operator `op` matches",
                "more than one operator `op` matches",
                "ambiguous overload for `op`",
                "no match for `op`",
            ),
            "there is no {op}, or more than one, for these types",
            "take the members, elements or numbers that are meant, or convert one side explicitly",
        ),
        Saying(
            (
                "no match for call to",
                "call of an object of a class type without appropriate operator()",
                "expression cannot be used as a function",
            ),
            "an object is called like a function",
            "leave the brackets out, take an element with [ ], or look whether an operator is missing before the bracket",
        ),
        Saying(
            (
                "invalid type argument of unary `op` (have `t`)",
                "wrong type argument to",
            ),
            "the operator {op} is used on a {t}",
            "* and -> need a pointer: leave them out, or take the address",
        ),
        Saying(
            ("base operand of `op` has non-pointer type `t`",),
            "-> is used on {t}, which is no pointer",
            "write . instead of ->",
        ),
        Saying(
            (
                "request for member `m` in `o`, which is of pointer type",
                "request for member `m` in `o`, which is of non-class type `t`",
            ),
            "{o} has no member {m}: it is no object",
            "for a pointer write -> or [i]. ; was another variable meant?",
        ),
        Saying(
            (
                "division by zero",
                'right operand of "%" is zero',
            ),
            "a constant is divided by zero",
            "look at the constants of this line",
        ),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        """None for operators that torch switched off: that cause is told by itself, once."""
        hit = super().match(log, candidate)
        said = None if hit is None else log.at(hit.at)
        off = said is not None and said.text.startswith("no operator") and detail(log, said, _SWITCHED_OFF)
        return None if off else hit
