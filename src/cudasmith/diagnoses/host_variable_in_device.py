"""DG232."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot, variable_span
from cudasmith.model import Candidate


class HostVariableInDevice(Diagnosis):
    """A kernel uses a variable of the host.

    Variables at file scope live in the host's memory unless marked otherwise, and the GPU cannot read them. Constants that
    the compiler can put into the code are the exception.

    Mark the variable `__constant__` (for small read-only tables) or `__device__`, make it `constexpr`, or pass its
    value as a parameter of the kernel.
    """

    code = "DG232"
    name = "host-variable-in-device"
    CASES = (Case("host_variable_in_device", says="factor", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r'identifier "(?P<name>[\w:]+)" is undefined in device code')
        if found is None:
            return None
        name = found[1]["name"]
        place = spot(log, found[0], candidate)
        defined = variable_span(place.region, name) if place is not None else None
        notes = (f"read in the kernel at line {place.line.line}",) if defined and place and place.line else ()
        return hit_at(
            found[0],
            f"{name} is a host variable, which a kernel cannot read",
            f"mark {name} __constant__ or constexpr, or pass it as a parameter",
            span=defined,
            notes=notes,
        )
