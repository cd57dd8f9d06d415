"""DG421."""

from __future__ import annotations

import re

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file

_SAID = re.compile(r"undefined (?:symbol:|reference to) .?_{0,2}device_builtin_variable_(?P<name>\w+)")


class HostReadsThreadIndex(Diagnosis):
    """A host function reads threadIdx, blockIdx, blockDim or gridDim, and the module does not load.

    These variables exist in kernels and `__device__` functions only. The compiler accepts them in a host function and leaves a
    name that nobody defines, which is told when Python loads the module. As a rule a `__global__` is missing, or a line of a
    kernel was left in the function that launches it.

    Delete the line from the host function, or write `__global__` or `__device__` before the function. The host passes numbers
    of blocks and threads itself: keep them in variables of its own.
    """

    code = "DG421"
    name = "host-reads-thread-index"
    hides = ("DG401",)
    CASES = (Case("thread_index_on_host", says="relu_cuda", line=17),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_SAID)
        if found is None:
            return None
        at, m = found
        where, span = _use(candidate, m["name"])
        message = f"{where or 'a host function'} reads {m['name']}, which exists on the GPU only"
        help = f"delete this use of {m['name']}, or mark the function __global__ or __device__"
        return Hit(message, at, help, span=span)


def _use(candidate: Candidate | None, name: str) -> tuple[str, Span | None]:
    """The first host function that names the variable, and the place."""
    for build in parse_file(candidate).builds if candidate is not None else ():
        for region in build.regions():
            for function in symbols(region.text).functions:
                if function.is_host and name in function.words:
                    use = re.compile(rf"\b{name}\b").search(region.text, function.start, function.end)
                    return function.name, region.span(*use.span()) if use else None
    return "", None
