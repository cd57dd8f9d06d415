"""DG401."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import Undefined, declaration_span, different, undefined
from cudasmith.diagnoses._text import namespace_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class UndefinedSymbol(Diagnosis):
    """The module was linked, but a function that it calls is defined nowhere.

    A shared library may be linked with holes; they show only when Python loads it. Most often a function is declared
    with one signature (in cpp_sources, say) and defined with another (in cuda_sources): `int` and `int64_t`, a value
    and a reference, another namespace. C++ makes two different functions of them.

    Give the declaration and the definition the same signature, letter by letter, or drop the declaration: with the
    whole text in cuda_sources and cpp_sources empty there is nothing to disagree.
    """

    code = "DG401"
    name = "undefined-symbol"
    CASES = (
        Case("declared_not_defined", says="relu_forward(unsigned long, unsigned long, int)", line=13),
        Case(
            "declared_diff_signature", says="n is int in the declaration and long in the definition", line=6
        ),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "signature", "unknown")
        if seen is None:
            return None
        return Hit(
            _message(seen, candidate), seen.at, _help(seen), span=_place(seen, candidate), notes=seen.notes
        )


def _message(seen: Undefined, candidate: Candidate | None) -> str:
    message = f"{seen.name} is called and defined nowhere"
    if (space := _space(seen)) is not None:
        return f"{message}: the definition stands in the namespace {space}, the declaration does not"
    parts = different(seen, candidate)
    if not parts:
        return message
    says = ", ".join(
        f"{name} is {here} in the declaration and {there} in the definition" for name, here, there in parts
    )
    return f"{message}: {says}"


def _space(seen: Undefined) -> str | None:
    """The namespace of the definition, where the symbol has none."""
    if seen.region is None or seen.other is None or "::" in seen.name.partition("(")[0]:
        return None
    return namespace_at(seen.region.text, seen.other.name_start) or None


def _help(seen: Undefined) -> str:
    if (space := _space(seen)) is not None:
        name = seen.other.name if seen.other is not None else seen.name
        return f"declare it in that namespace and write {space}::{name} where it is used, or take the definition out of {space}"
    if seen.other is None:
        return "define it with exactly this signature, or make the declaration agree with the definition you have"
    return f"make the declaration agree with the definition: {seen.defined};"


def _place(seen: Undefined, candidate: Candidate | None) -> Span | None:
    return seen.declared or declaration_span(candidate, seen.symbol) or seen.span
