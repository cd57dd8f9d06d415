"""DG263."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_file, used_from
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate

_SAID = re.compile(r'static assertion failed(?: with "(?P<edg>.*)"|: (?P<gxx>.*))?$')
_USED = r'instantiation of ".*?"? \[with (?P<with>.*?)\]"? at line (?P<line>\d+)(?: of (?P<file>\S+))?'
_REQUIRED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)?\s+required from here")
_ABOVE = 40  # lines of g++ about the way to an instantiation


class StaticAssertion(Diagnosis):
    """A `static_assert` of the source or of a library does not hold.

    Its author checks sizes or types there for every version of a template. The line below the error says which template
    arguments were used, and where.

    Read its text, and change the template arguments at the place named there.
    """

    code = "DG263"
    name = "static-assertion"
    CASES = (
        Case("static_assertion", says="tile must be a multiple of the warp", line=10),
        Case("static_assertion_used", says="multiple of the warp", line=19),
        Case("library_float_argument", says="use double instead", line=10),
        Case("module_argument_annotations", says="py::arg", line=10),
        Case("module_annotations_nvcc", says="2 py::arg for 3 parameters", line=23),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID)
        if found is None:
            return None
        said, m = found
        if (annotated := _annotations(log, said)) is not None:
            return annotated
        text = m["edg"] or m["gxx"] or "no text given"
        used = detail(log, said, _USED)
        notes = (f"used with {used['with']}, from line {used['line']}",) if used else ()
        message, help = f"a static_assert does not hold: {text}", "change the template arguments at its use"
        if used and said.file and not used["file"]:
            return Hit(message, said.at, help, said.file, int(used["line"]), notes=notes)
        if not own_file(said) and (place := _required_from(log, said.at)) is not None:
            return Hit(message, said.at, "change what this line gives to the library", *place)
        return hit_at(said, message, help, notes=notes)


def _annotations(log: Log, said: Said) -> Hit | None:
    """pybind11's check of the py::arg of a m.def, at the user's line that makes it."""
    here = used_from(log, said) if "number of argument annotations does not match" in said.text else None
    if here is None:
        return None
    args = detail(log, said, r"Args=<(?P<args>.*?)>, Extra=<(?P<extra>.*?)>[\],]")
    counted = ""
    if args is not None:
        given = len(re.findall(r"\barg(?:_v)?\b", args["extra"]))
        counted = f": {given} py::arg for {_count(args['args'])} parameters"
    return hit_at(
        here,
        f"the py::arg of this m.def are not as many as the parameters of its function{counted}",
        "write one py::arg for each parameter of the C++ function, or none at all",
    )


def _count(types: str) -> int:
    """How many types stand between commas that are in no brackets."""
    while (bare := re.sub(r"<[^<>]*>|\([^()]*\)", "", types)) != types:
        types = bare
    return types.count(",") + 1 if types.strip() else 0


def _required_from(log: Log, at: int) -> tuple[str, int] | None:
    """The user's line that made g++ instantiate a template of a library: the nearest told above its error."""
    for line in reversed(log.lines[max(0, at - _ABOVE) : at]):
        m = _REQUIRED.match(line)
        if m and own_file(Said("g++", "", at, m["file"])):
            return m["file"], int(m["line"])
    return None
