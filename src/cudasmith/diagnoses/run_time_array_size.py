"""DG259."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    r"a variable length array cannot have static storage|expression must have a constant value"
)
_ARRAY = re.compile(
    r"(?P<shared>__shared__\s+)?(?P<type>[\w:]+)\s+(?P<name>\w+)\s*\[(?P<size>[^\]]+)\](?P<end>\s*;\s*$)?"
)


class RunTimeArraySize(Diagnosis):
    """An array has a size that is known only when the program runs.

    `__shared__` and local arrays are laid out by the compiler, so their size must be a constant: a literal, `constexpr`, a
    macro or a template parameter. blockDim.x, warpSize and parameters of the kernel are values of the run.

    Use a constant, or dynamic shared memory: `extern __shared__ float tile[];` with the number of bytes as the third
    entry of the launch, `kernel<<<blocks, threads, bytes>>>`.
    """

    code = "DG259"
    name = "run-time-array-size"
    CASES = (
        Case("shared_array_of_run_time_size", says='"tile"', line=6),
        Case("shared_array_of_blockdim", says="blockDim.x", line=6),
        Case("local_array_of_run_time_size", says='"tile"', line=6),
        Case("warp_size_constant", says="warpSize", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said = found[0]
        shown = detail(log, said, r"(?P<type>[\w:]+)\s+(?P<name>\w+)\s*\[(?P<size>[^\]]+)\]")
        if shown is None or detail(log, said, r"<<<|\w<\w+>\("):
            return None
        message = f'the size of the array "{shown["name"]}", {shown["size"]}, is not a constant'
        static = said.text.startswith("a variable length")
        place = spot(log, said, candidate)
        m = _ARRAY.search(place.text) if place is not None else None
        if shown["size"].strip() == "warpSize":
            fix = None
            if place is not None and (span := place.word("warpSize")):
                fix = Fix(span, "32", safe=True)
            return hit_at(said, message, "write 32: warpSize is a variable for the compiler", fix=fix)
        if static or (m is not None and m["shared"]):
            name, kind = shown["name"], shown["type"]
            help = f"use a constant, or extern __shared__ {kind} {name}[]; with {shown['size']} * sizeof({kind}) bytes at the launch"
            return hit_at(said, message, help)
        return hit_at(said, message, "use a constant or a template parameter for the largest size")
