"""DG201."""

from __future__ import annotations

import re

from cudasmith.cuda.tokens import tokenize
from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._place import Spot, end_before, spot
from cudasmith.diagnoses._slips import spoiled, unclosed
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import Region

_SAID = re.compile(
    rf'expected an? "(?P<edg>[;()\]}}])"|expected (?:{Q},{Q} or )?{Q}(?P<gxx>[;()\]}}]){Q}(?! at end)'
)


def _follows_value(place: Spot) -> bool:
    """Whether a name stands at the caret right behind a value: then something between the two is missing."""
    if place.caret is None:
        return False
    around = place.region.text[: place.caret] + "\0" + place.region.text[place.caret :]
    return re.search(r"[\w)\]](?:\s+\0\s*|\s*\0\s+)[A-Za-z_0-9\"&]", around) is not None


def _dependent_type(place: Spot) -> str:
    """A name T::type before the caret where T is a parameter of a template of the source."""
    m = re.fullmatch(
        r"\s*(?:const\s+)?(?P<type>(?P<owner>\w+)(?:<[^<>]*>)?(?:::\w+)+)\s*[&*]?\s*", _to_caret(place)
    )
    if m is None or not re.search(rf"\b(?:typename|class)\s+{m['owner']}\b", place.region.text):
        return ""
    return m["type"]


def _to_caret(place: Spot) -> str:
    return place.region.text[place.start : place.caret] if place.caret is not None else ""


def _gap(log: Log, said: Said, candidate: Candidate | None, place: Spot | None) -> tuple[Region, int] | None:
    """Where a `;` belongs, in a source: behind its line, or before a `}`. None where that is not certain.

    nvcc points at what follows, g++ behind the statement. No second `;` is asked for where one stands.
    """
    found = _end_in_line(place, of_gxx=said.tool == "g++") if place is not None else None
    found = found or end_before(log, said, candidate)
    return None if found is None or found[0].text[: found[1]].endswith(";") else found


def _end_in_line(place: Spot, *, of_gxx: bool) -> tuple[Region, int] | None:
    """The end of the last token before the caret where a `}` or the end of the line follows."""
    text = place.region.text
    caret = place.caret
    if caret is None and of_gxx:  # a log without columns
        caret = place.start + len(place.text.partition("//")[0].rstrip(" \t}"))
    if caret is None:
        return None
    rest = text[caret : place.end].partition("//")[0].strip()
    if not rest.startswith("}") and not (of_gxx and not rest):
        return None
    before = [t for t in tokenize(text) if t.end <= caret]
    return (place.region, before[-1].end) if before and before[-1].start >= place.start else None


def _opener(log: Log, said: Said, place: Spot, token: str) -> Span | None:
    """The line of the bracket that is open at the caret, where that is an earlier one."""
    at = unclosed(spoiled(log, said, place), {")": "(", "]": "["}[token])
    if at is None or at >= place.start:
        return None
    text = place.region.text
    start = text.rfind("\n", 0, at) + 1
    return place.region.span(start + len(text[start:at]) - len(text[start:at].lstrip()), at + 1)


class MissingToken(Diagnosis):
    """The compiler expected a `;`, `)`, `]` or `}` that is not there.

    A compiler notices only at the next thing that it reads. A missing `;` is therefore reported on the line after the
    one that lacks it, with a caret under a word that is right. A missing bracket is reported where the text could no
    longer be read without it, on the same line as a rule. What it says next is a consequence and can be ignored.

    Put the `;` behind the end of the named line: statements, `struct {...}` and `return` all need one. For a bracket,
    count from the left end of the line to the caret.
    """

    code = "DG201"
    name = "missing-token"
    CASES = (
        Case("odd_comma_before_docstring", says=",", line=28),
        Case("odd_semi_for", says=";", line=6),
        Case("odd_lambda_paren", says=")", line=7),
        Case("odd_paren_multiline", says=")", line=7),
        Case("operator_between_values", says="operator", line=6),
        Case("dependent_type_plain", says="typename", line=6),
        Case("function_in_kernel", says="twice", line=6),
        Case("missing_semicolon", says='";"', line=5),
        Case("gxx_missing_semicolon", says='";"', line=6),
        Case("unbalanced_paren", says='")"', line=6),
        Case("missing_bracket", says='"]"', line=6),
        Case("missing_pragma_paren", says='")"', line=6),
        Case("missing_comma", says='")"', line=5),
        Case("for_without_parentheses", says='"("', line=10),
        Case("comma_between_arguments", says='","', line=17),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, match = found
        token = match["edg"] or match["gxx"]
        message = f'a "{token}" is missing'
        place = spot(log, said, candidate)
        if token == ";" and place is not None and (kind := _dependent_type(place)):
            help = f"write typename {kind}"
            return hit_at(
                said, f"{kind} is a type that depends on a template parameter, and lacks typename", help
            )
        before = _gap(log, said, candidate, place) if token == ";" else None
        if token == ";" and before is None and place is not None and _follows_value(place):
            message, help = (
                'an operator, a "," or a ";" is missing before the caret',
                "write it between the two",
            )
            return hit_at(said, message, help, span=place.word_at_caret())
        if token == ")" and place is not None and _follows_value(place):
            message, help = 'a "," or an operator is missing, or a ")"', "write it before the caret"
            return hit_at(said, message, help, span=place.word_at_caret())
        if token in (")", "]") and place is not None and (opener := _opener(log, said, place, token)):
            help = f'write the "{token}" that belongs to this bracket; the compiler noticed lines later'
            return hit_at(said, message, help, span=opener)
        head = (
            re.match(r"\s*(?:[\w:<>]+[ *&]+)+(?P<name>\w+)\s*\([^()]*\)\s*$", _to_caret(place))
            if place
            else None
        )
        if token == ";" and head and place and place.region.text[place.caret or 0] == "{":
            help = f"move {head['name']} out, before this function; or write a lambda: auto {head['name']} = [&](...) {{ ... }};"
            return hit_at(said, f"the function {head['name']} is defined inside another", help)
        if before is None:
            span = place.expression_at_caret() if place is not None else None
            return hit_at(said, message, f'write the "{token}"; look at the line before too', span=span)
        region, end = before
        span, behind = region.span(end - 1, end), region.span(end, end)
        fix = Fix(behind, token) if behind is not None else None
        rest = region.text[end:].partition("\n")[0].strip()
        at_end = f'write "{token}" at the end of this line; the compiler noticed only at the next one'
        help = f'write "{token}" before "{rest[0]}"' if rest.startswith("}") else at_end
        return hit_at(said, message, help, span=span, fix=fix)
