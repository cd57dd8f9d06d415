"""DG415."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate

_SAID = re.compile(
    r"Inferred operator schema for a C\+\+ kernel function doesn't match the expected function schema"
)
_OPERATOR = re.compile(r"^\s*operator: (?:(?P<space>\w+)::)?(?P<name>\w+)")
_REASON = re.compile(r"^\s*reason: (?P<reason>.*)$")
_BELOW = 12  # lines of the message


class SchemaMismatch(Diagnosis):
    """An operator's schema in TORCH_LIBRARY and the C++ function behind it do not have the same types.

    In a schema `int` is int64_t, `float` is double, `Tensor` is at::Tensor, `Tensor?` std::optional<at::Tensor>. torch compares both
    while the library is loaded, and ends the process where they differ.

    Change the schema or the function. m.def("name", &function) without a schema takes it from the function.
    """

    code = "DG415"
    name = "schema-mismatch"
    hides = ("DG702",)
    CASES = (Case("library_schema_mismatch", says="held_ops::scale", line=11, returncode=-6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_SAID)
        if found is None:
            return None
        at = found[0]
        below = log.lines[at + 1 : at + _BELOW]
        operator = next((m for line in below if (m := _OPERATOR.match(line))), None)
        reason = next((m["reason"] for line in below if (m := _REASON.match(line))), "")
        name = operator["name"] if operator else ""
        shown = f"{operator['space']}::{name}" if operator and operator["space"] else name or "an operator"
        span = only_place(candidate, rf"(?P<at>\bm\.def\(\s*\"{name}\([^\"]*\")") if name else None
        message = f"the schema of {shown} does not fit its C++ function" + (f": {reason}" if reason else "")
        help = "make both agree: int is int64_t, float is double, Tensor is at::Tensor"
        return Hit(message, at, help, span=span)
