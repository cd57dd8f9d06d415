"""DG305."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import bare, declaration_span
from cudasmith.model import Candidate

_UNRESOLVED = re.compile(
    r"^(?:ptxas|nvlink) (?:fatal|error)\s*: (?:Unresolved extern function|Undefined reference to) '(?P<name>[\w$.]+)'"
)


class UnresolvedDeviceFunction(Diagnosis):
    """A kernel calls a __device__ function that is declared and has no body in this file, so ptxas or nvlink
    cannot find it.

    Without relocatable device code each .cu file is a world of its own: a device function must be
    defined, not only declared, in the file that calls it. A body in a second file, a template without a
    visible body, or a declaration whose parameter types differ from the definition's gives the same
    error.

    Put the body in the same file, before the kernel or in an included header, with exactly the declared
    parameter types. Only for several .cu files that share device functions compile with -rdc=true and
    link the device code.
    """

    code = "DG305"
    name = "unresolved-device-function"
    CASES = (
        Case("ptxas_unresolved_function", says="activation(float)", line=4),
        Case("nvlink_undefined", says="activation(float)"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_UNRESOLVED)
        if found is None:
            return None
        at, m = found
        function = demangle(m["name"]) or m["name"]
        return Hit(
            f"the device function {function} is called and has no body in this file",
            at,
            f"define {bare(function)} in the same cuda_sources, with exactly these parameter types",
            span=declaration_span(candidate, m["name"]),
        )
