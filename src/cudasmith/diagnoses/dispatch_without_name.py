"""DG276."""

from __future__ import annotations

import re

from cudasmith.cuda.tokens import matching, tokenize
from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._launches import parts
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate

_UNNAMED = re.compile(
    r"(?P<macro>AT_DISPATCH_\w*TYPES\w*)\s*\((?:\s*[\w.()>:-]+?\s*,)+\s*(?P<name>\"[^\"\n]*\"\s*)?\(?\s*\["
)


_NEAR = 2000  # characters before an error in which its macro begins


def _end(text: str, macro: re.Match[str]) -> int:
    """Where the line ends behind a macro's arguments."""
    tokens = tokenize(text[macro.start() :])
    close = matching(tokens, 1)
    return macro.start() + tokens[close].end if close is not None else len(text)


_AND = re.compile(r"AT_DISPATCH_\w+_AND(?P<more>[2-9]?)\s*(?=\()")


def _types_missing(text: str, start: int, last: int, fault: int) -> tuple[re.Match[str], int, int] | None:
    """An AT_DISPATCH_..._AND around an error with too few types before its name, with how many it wants and has."""
    for m in _AND.finditer(text, start, last):
        tokens = tokenize(text[m.end() :])
        close = matching(tokens, 0)
        name = next((t for t in tokens[1:close] if t.kind == "string"), None)
        if name is None or _end(text, m) < fault:
            continue
        wanted, given = (
            int(m["more"] or 1) + 1,
            len(parts(text[m.end() + 1 : m.end() + name.start].rstrip().rstrip(","))),
        )
        if given < wanted:
            return m, wanted, given
    return None


class DispatchWithoutName(Diagnosis):
    """AT_DISPATCH_... is given a type and a lambda, and not the name between them, or not all of its types.

    Its second argument is a text that errors show: `AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu", [&] { ... })`. The
    lambda takes its place, and the compiler complains of what the macro makes of that.

    The macros that end in _AND, _AND2 ... take further types, one for the number, before the type of the tensor:
    `AT_DISPATCH_FLOATING_TYPES_AND(at::kHalf, x.scalar_type(), "relu", [&] { ... })`.

    Write a name in quotes before the lambda, and the further types in front of all.
    """

    code = "DG276"
    name = "dispatch-without-name"
    hides = ("DG201", "DG211", "DG215", "DG270")
    CASES = (
        Case("dispatch_without_name", says="AT_DISPATCH_FLOATING_TYPES", line=18),
        Case("dispatch_without_further_type", says="takes 2 before its name, and 1 is given", line=21),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r"")
        place = spot(log, found[0], candidate) if found is not None else None
        if found is None or place is None:
            return None
        text = place.region.text
        last = text.find("\n", place.end + 1) + 1 or place.end
        found_in = _UNNAMED.finditer(text, max(0, place.start - _NEAR), last)
        if lacking := _types_missing(text, max(0, place.start - _NEAR), last, place.start):
            macro, wanted, given = lacking
            name = macro[0].strip()
            return hit_at(
                found[0],
                f"{name} lacks a type: it takes {wanted} before its name, and {given} {'is' if given == 1 else 'are'} given",
                f'give the further types first: {name}({"at::kHalf, " * (wanted - 1)}x.scalar_type(), "name", [&] {{ ... }})',
                span=place.region.span(macro.start(), macro.start() + len(name)),
            )
        m = next((m for m in found_in if _end(text, m) >= place.start), None)
        if m is None:
            return None
        span = place.region.span(m.start(), m.end("macro"))
        if m["name"]:
            help = 'write the comma: (x.scalar_type(), "name", [&] { ... })'
            return hit_at(
                found[0], f"{m['macro']} lacks the comma between its name and the lambda", help, span=span
            )
        message = f"{m['macro']} lacks its name, the text between type and lambda"
        return hit_at(
            found[0],
            message,
            'write a name in quotes before the lambda: (x.scalar_type(), "name", [&] { ... })',
            span=span,
        )
