"""DG271."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = r"expected|.*lvalue|expression must|too many|.* before "
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+(?P<value>(?P<equals>=[ \t]*)[^=\n].*?|(?!return|break|continue)[\w.+*/ -]+;)[ \t]*(?://.*)?$",
    re.MULTILINE,
)


_HEAD = re.compile(r"[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)\([^()\n]*\)[^\n]*")


class MacroDefinition(Diagnosis):
    """A `#define` is written like a variable: with `=` before its value, or with `;` behind it.

    The preprocessor puts everything behind the name where the name stands, the `=` or the `;` too. The compiler then
    reports the line that uses the macro, where nothing seems to be wrong.

    Write `#define BLOCK 256`, or `constexpr int BLOCK = 256;`.
    """

    code = "DG271"
    name = "macro-definition"
    hides = ("DG201", "DG203", "DG211")
    CASES = (Case("define_with_equals", says="BLOCK", line=9),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        place = spot(log, found[0], candidate) if found is not None else None
        if found is None or place is None:
            return None
        if (cut := _cut_define(place)) is not None:
            help = "write a backslash at the end of each of its lines but the last, with nothing behind it"
            span = place.region.span(*cut.span("name"))
            return hit_at(
                found[0], f"the macro {cut['name']} ends with its line, and the next goes on", help, span=span
            )
        define = _used_define(place)
        if define is None:
            return None
        name, sign = define["name"], "=" if define["equals"] else ";"
        value = define["value"].removeprefix(define["equals"] or "").removesuffix(";").strip()
        message = f"the macro {name} is defined with a {sign}, which becomes part of each use"
        span = place.region.span(*define.span("value"))
        help = f"write #define {name} {value}"
        fix = Fix(span, value) if span is not None else None
        return hit_at(found[0], message, help, span=span, fix=fix)


def _cut_define(place: Spot) -> re.Match[str] | None:
    """A definition with parameters on the line before, where the named line is indented and uses its parameters with a #."""
    before = place.region.text[: place.start].rstrip("\n").rpartition("\n")
    line = place.region.text[len(before[0]) + len(before[1]) : place.start].rstrip("\n")
    offset = len(before[0]) + len(before[1])
    m = _HEAD.match(place.region.text, offset, offset + len(line))
    if m is None or line.endswith("\\") or not re.match(r"[ \t]+\S", place.text):
        return None
    return m


def _used_define(place: Spot) -> re.Match[str] | None:
    """A definition of that form whose name stands on the line that the compiler named."""
    words = set(re.findall(r"\w+", place.text))
    return next((m for m in _DEFINE.finditer(place.region.text) if m["name"] in words), None)
