"""DG123."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file

_NAME = re.compile(r"-DTORCH_EXTENSION_NAME=(?P<name>.+?) (?=-D|-I|-i)")

_OWN = re.compile(
    r"^the extension's name '(?P<name>.*)' is no C\+\+ name$"
)  # of `build`, which does not try it


class ExtensionName(Diagnosis):
    """The `name` given to load_inline cannot be the name of a C++ function.

    The name becomes a part of PyInit_NAME, of a folder and of a compiler option. With a hyphen, a dot, a slash or a
    blank in it the C++ text falls apart, and the error stands at the line of PYBIND11_MODULE.

    Use letters, digits and underscores only.
    """

    code = "DG123"
    name = "extension-name"
    proves = True
    hides = ("DG201",)
    CASES = (
        Case("name_hyphen", says="relu-forward", line=15),
        Case("name_space", says="relu forward", line=15),
        Case("name_dotted", says="my.relu", line=15),
        Case("name_slash", says="ops/relu", line=15),
        Case("name_with_dash", says="relu-forward", line=12),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_NAME)
        told = log.find(_OWN)
        if told is not None:
            found = told
        elif (
            found is None
            or re.fullmatch(r"\w+", found[1]["name"])
            or not log.exception("RuntimeError", "^Error building")
        ):
            return None
        assert found is not None
        wrong = found[1]["name"]
        right = re.sub(r"\W", "_", wrong)
        span, fix = _place(candidate, wrong, right)
        return Hit(
            f"the extension's name {wrong!r} is no C++ identifier",
            found[0],
            f'write name="{right}"',
            span=span,
            fix=fix,
        )


def _place(candidate: Candidate | None, wrong: str, right: str) -> tuple[Span | None, Fix | None]:
    model = parse_file(candidate) if candidate else None
    for build in model.builds if model else ():
        node = build.keywords.get("name")
        if model and isinstance(node, ast.Constant) and node.value == wrong:
            span = model.source.node_span(node)
            return span, Fix(span, f'"{right}"')
    return None, None
