"""DG260."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_NOTE = r'value of (?:parameter|variable) "(?P<name>\w+)"'
_GXX = rf"the value of {Q}(?P<name>\w+){Q} is not usable in a constant expression"


class ConstantExpected(Diagnosis):
    """A template argument must be a constant, and a variable is given.

    The compiler makes one version of the kernel for each template argument, so the value must be known to it. A parameter or
    a variable of the host function is known only when the program runs.

    Declare the variable `constexpr` if it is one value, or choose between a few versions: `if (block == 256)
    kernel<256><<<...>>>(...)`. Otherwise make it a parameter of the kernel.
    """

    code = "DG260"
    name = "constant-expected"
    hides = ("DG242",)
    CASES = (
        Case("nonconst_template", says='"block"', line=9),
        Case("kernel_template_argument", says='"n"', line=7),
        Case("launch_bounds_variable", says="__launch_bounds__", line=10),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, rf"expression must have a constant value|{_GXX}")
        if found is None:
            return None
        said, m = found
        bounds = detail(log, said, r"launch_bounds\(") is not None
        if m["name"] is None and not bounds and detail(log, said, r"<<<|\w<\w+>\(") is None:
            return None
        note = detail(log, said, _NOTE)
        name = m["name"] or (note["name"] if note else "this")
        if bounds:
            message = f'"{name}" in __launch_bounds__ is no constant'
            return hit_at(said, message, f"make {name} constexpr or a #define, or write the number")
        message = f'"{name}" is a template argument and no constant'
        return hit_at(
            said, message, f"make {name} constexpr, or choose between kernels made for each of its values"
        )
