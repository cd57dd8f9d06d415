"""DG255."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class TwoModuleBlocks(Diagnosis):
    """PYBIND11_MODULE stands twice in one source.

    Both define the same function, PyInit_ and the module's name; a library can have one.

    Put all `m.def(...)` lines into one block and delete the other. The sources of one kind are joined by load_inline, so
    the two may stand in different strings.
    """

    code = "DG255"
    name = "two-module-blocks"
    CASES = (Case("two_module_blocks_in_cuda", says="twice", line=11),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf'(?:function|variable) "(?:PyInit_|pybind11_)\w+" has already been defined|redefinition of {Q}.*(?:PyInit_|pybind11_)',
        )
        if found is None:
            return None
        return hit_at(
            found[0],
            "PYBIND11_MODULE stands twice",
            "put all m.def lines into one block and delete the other",
        )
