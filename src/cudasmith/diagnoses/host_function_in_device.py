"""DG230."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, function_span, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_CALL = re.compile(
    r'calling a (?:constexpr )?__host__ function\("(?P<callee>.*?)"\)\s*from a __(?:global|device)__ '
    r'function\("(?P<caller>.*?)"\) is not allowed'
)


def _head(text: str, name: str) -> list[re.Match[str]]:
    """Where functions of a name are defined, each at the start of its line."""
    return list(
        re.finditer(
            rf"^[ \t]*(?!return\b|else\b)(?:[\w:]+[ \t*&]+)+{re.escape(name)}[ \t]*\(", text, re.MULTILINE
        )
    )


def _fix(place: Spot, name: str) -> Fix | None:
    found = _head(place.region.text, name)
    if len(found) != 1 or "__" in found[0][0]:
        return None
    at = found[0].start() + len(found[0][0]) - len(found[0][0].lstrip())
    span = place.region.span(at, at)
    return Fix(span, "__host__ __device__ ") if span is not None else None


class HostFunctionInDevice(Diagnosis):
    """A kernel or device function calls a function that exists on the host only.

    A function without `__device__` is compiled for the CPU; the GPU has no code for it. The same holds for most of the C++
    library: containers, streams, strings.

    Put `__device__` before your own function (`__host__ __device__` if the host calls it too). Instead of a library
    function use CUDA's: fmaxf, expf, fixed arrays, printf. A `constexpr` function also needs
    `--expt-relaxed-constexpr` in extra_cuda_cflags.
    """

    code = "DG230"
    name = "host-function-in-device"
    hides = ("DG232",)
    CASES = (
        Case("host_fn_from_device", says="helper", line=7),
        Case("host_function_in_device", says="gelu", line=10),
        Case("cout_in_kernel", says="operator <<", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _CALL)
        if found is None:
            return None
        said, match = found
        name = match["callee"].partition("(")[0]
        message = f"{match['caller'].partition('(')[0]} runs on the GPU and calls {name}, which exists on the host only"
        if name.startswith("std::"):
            if "ostream" in name:
                return hit_at(said, message, "use printf in device code")
            return hit_at(
                said, message, f"do without {name} in device code: fixed arrays, CUDA's own functions"
            )
        place = spot(log, said, candidate)
        fix = _fix(place, name) if place is not None else None
        own = name.rpartition("::")[2]
        defined = function_span(place.region, own) if place is not None else None
        notes = (f"{own} is defined at line {defined.line}",) if defined is not None else ()
        called = place.word(own) if place is not None else None
        help = f"write __device__ (or __host__ __device__) before {name}"
        return hit_at(said, message, help, fix=fix, span=called, notes=notes)
