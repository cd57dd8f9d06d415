"""DG402."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class NoInitFunction(Diagnosis):
    """The library was built, but it is no Python module of the expected name.

    Python looks for a function PyInit_NAME in the library; PYBIND11_MODULE makes it. It is missing when there is no
    PYBIND11_MODULE and no `functions=` argument, or when the module's name is written out and differs from the
    `name` given to load_inline.

    Write `PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(...); }` once, after the host functions. load_inline
    defines TORCH_EXTENSION_NAME, so the names always agree.
    """

    code = "DG402"
    name = "no-init-function"
    CASES = (
        Case("missing_pybind_module", says="PyInit_"),
        Case("macro_name_mismatch", says="PyInit_macro_name_mismatch"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("ImportError", r"does not define module export function \((PyInit_\w+)\)")
        if found is None:
            return None
        raised, match = found
        return hit_raised(
            raised,
            f"the library has no {match[1]}: it is no Python module of that name",
            "write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... } once, after the host functions",
        )
