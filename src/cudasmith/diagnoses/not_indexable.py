"""DG250."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'expression must have pointer(?:-to-object)? type but it has type "(?P<index>.*?)"'
    rf'|operand of "\*" must be a pointer but has type "(?P<star>.*?)"'
    rf"|expression preceding parentheses of apparent call|invalid types {Q}(?P<gxx>.*?)\[.*{Q} for array subscript"
    rf"|{Q}(?P<called>.*?){Q} cannot be used as a function"
)


class NotIndexable(Diagnosis):
    """Something that is neither pointer nor array is indexed, dereferenced or called.

    A parameter lost its `*`, a scalar has the name of an array, `**` is used for a power, or a variable has the name of a
    function.

    Declare the parameter as a pointer, or drop the brackets. A power is `v * v` or `powf(v, p)`.
    """

    code = "DG250"
    name = "not-indexable"
    CASES = (
        Case("not_a_pointer", says="float", line=6),
        Case("python_power", says="**", line=6),
        Case("not_a_function", says='"scale"', line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        indexed = m["index"] or m["gxx"]
        if indexed:
            return hit_at(
                said,
                f"{indexed} is no pointer and cannot be indexed",
                "declare it as a pointer, or drop the [...]",
            )
        if m["star"]:
            if detail(log, said, r"\w\)?\s*\*\*\s*[\w(]"):
                return hit_at(said, "** is no operator of C++", "write v * v, or powf(v, p)")
            return hit_at(
                said,
                f"{m['star']} is no pointer and has no * in front",
                "drop the *, or declare it as a pointer",
            )
        name = re.match(r"\w+", at_caret(log, said))
        what = m["called"] or (name[0] if name else "this")
        return hit_at(
            said,
            f'"{what}" is called, but is no function',
            "is an operator missing before the bracket, or a name used twice?",
        )
