"""DG265."""

from __future__ import annotations

import re

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file

_HEAD = re.compile(r"^(?P<name>[\w.]+)\(\): incompatible function arguments")


class KernelBound(Diagnosis):
    """The binding names the kernel itself instead of the function that launches it.

    A `__global__` function can be named in m.def, and the build succeeds: what is bound is its entry on the CPU, which takes
    pointers as single numbers. Called with tensors, pybind11 refuses them.

    Bind the host function that takes tensors and launches the kernel.
    """

    code = "DG265"
    name = "kernel-bound"
    hides = (
        "DG501",
        "DG502",
        "DG503",
        "DG504",
        "DG505",
        "DG506",
        "DG507",
        "DG508",
        "DG509",
        "DG510",
        "DG511",
        "DG513",
    )
    CASES = (Case("odd_kernel_bound", says="bound to the kernel count_kernel", line=22),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("TypeError", _HEAD)
        if found is None or candidate is None:
            return None
        raised, match = found
        name = match["name"]
        bound = _bound_kernel(candidate, name)
        if bound is None:
            return None
        kernel, span = bound
        help = f'bind the function that launches it: m.def("{name}", &{name})'
        message = f"{name} is bound to the kernel {kernel}, not to a function that launches it"
        return hit_raised(raised, message, help, span=span)


def _bound_kernel(candidate: Candidate, name: str) -> tuple[str, Span | None] | None:
    """The kernel that a binding of that name names, and where."""
    for build in parse_file(candidate).builds:
        for region in build.regions():
            known = symbols(region.text)
            kernels = {k.name for k in known.kernels}
            for export in (e for b in known.bindings for e in b.exports):
                if export.name == name and export.target in kernels:
                    return export.target or name, region.span(export.start, export.end)
    return None
