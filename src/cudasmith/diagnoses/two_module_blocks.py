"""DG255."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import hit_line, python_place
from cudasmith.model import Candidate
from cudasmith.source.filemodel import parse_file


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
        said, _ = found
        model = parse_file(candidate) if candidate is not None else None
        own = hit_line(log, said.at, said.file, said.line, candidate)
        before = detail(
            log, said, r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: note: .*previously defined here"
        )
        if own is not None or before is None or model is None:
            help = "put all m.def lines into one block and delete the other"
            return hit_at(said, "PYBIND11_MODULE stands twice", help)
        help = "delete functions=[...], which makes load_inline write a second block, or this block"
        span = python_place(model, before["file"], int(before["line"]))
        return hit_at(
            said, "PYBIND11_MODULE stands in the source, and functions= is given too", help, span=span
        )
