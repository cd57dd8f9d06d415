"""DG249."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'(?:class|struct|union) "(?P<type>.*?)"(?: \(aka .*?\))? has no member "(?P<member>\w+)"'
    rf"|{Q}(?P<gxx_type>[^‘’]*){Q} has no member named {Q}(?P<gxx>\w+){Q}(?:; did you mean {Q}(?P<mean>\w+){Q})?"
    r'|expression must have class type but it has type "(?P<plain>.*?)"|operator -> or ->\* applied to "(?P<arrow>.*?)" instead'
    r'|member "(?P<private>.*?)".* is inaccessible'
)


class NoSuchMember(Diagnosis):
    """A struct, class or tensor has no member of that name, or something without members is used as if it had some.

    float4 has x, y, z, w. `.` is for objects and `->` for pointers; a plain number has neither. Members behind `class`
    without `public:` are private.

    Correct the name, or look at what type the variable really has.
    """

    code = "DG249"
    name = "no-such-member"
    CASES = (
        Case("no_such_member", says='"r"', line=7),
        Case("bool_mask", says="float has no members", line=7),
        Case("arrow_on_value", says="Box", line=6),
        Case("private_member", says="Box::v", line=6),
        Case("gxx_no_member", says='"row"', line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        if m["plain"]:
            return hit_at(
                said,
                f"{m['plain']} has no members",
                "is this the variable you mean? for a pointer write -> or [i].",
            )
        if m["arrow"]:
            return hit_at(said, f"-> is used on {m['arrow']}, which is no pointer", "write . instead of ->")
        if m["private"]:
            return hit_at(
                said,
                f"{m['private']} is private",
                "write struct instead of class, or public: before the members",
            )
        name, owner = m["member"] or m["gxx"], (m["type"] or m["gxx_type"]).removeprefix("struct ")
        if m["mean"]:
            help = f"write {m['mean']}"
        elif re.fullmatch(r"\w+[234]", owner):
            help = "its members are x, y, z, w, as many as its number says"
        else:
            help = f"look up the members of {owner}; was another variable meant?"
        return hit_at(said, f'{owner} has no member "{name}"', help)
