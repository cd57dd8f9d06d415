"""DG124."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_MISSING = r"does not define module export function \(PyInit_(?P<name>\w+?)_v(?P<number>\d+)\)"
_BUMPED = re.compile(r"Bumping to version (?P<number>\d+) and re-building as (?P<name>\w+?)_v\d+\.\.\.")


class BuiltAgain(Diagnosis):
    """One Python process built an extension of the same name a second time, and a piece of it kept the old name.

    A loaded library cannot be replaced, so for changed sources torch builds NAME_v1, NAME_v2 and so on. Then PYBIND11_MODULE
    with the name written out no longer agrees with what Python looks for; and whoever kept a reference to the first
    module goes on calling the old code.

    Write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m), which follows the name. Better still: one process for each attempt,
    or a hash of the sources in the name.
    """

    code = "DG124"
    name = "built-again"
    hides = ("DG402",)
    CASES = (Case("rebuilt_fixed_name", says="rebuilt_fixed_name_v1"),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("ImportError", _MISSING)
        bumped = log.find(_BUMPED)
        if found is None or (bumped is None and not _first_was_loaded(candidate, found[1]["name"])):
            return None
        name = f"{found[1]['name']}_v{found[1]['number']}"
        return Hit(
            f"this process built {found[1]['name']} a second time, as {name}, and the library keeps the first name",
            found[0].at,
            "write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m), and use a new process or a new name for changed sources",
        )


def _first_was_loaded(candidate: Candidate | None, name: str) -> bool:
    """Whether the file names its extension without the version that torch appended."""
    return candidate is None or f"{name}_v" not in candidate.text
