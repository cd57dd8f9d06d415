"""DG301."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import bare, definition_span
from cudasmith.model import Candidate

_TOO_MUCH = re.compile(
    r"(?:Entry function|Function) '(?P<kernel>[\w$.]+)' uses too much shared data "
    r"\((?P<used>0x[0-9a-f]+) bytes(?: \+ .*)?, (?P<most>0x[0-9a-f]+) max\)"
)


class StaticSharedMemoryTooLarge(Diagnosis):
    """A kernel's __shared__ arrays together exceed 48 KB (0xc000 bytes), so the assembler refuses it.

    Memory whose size is written in the source is limited to 48 KB on every card, however much the card
    has. What is above can only be had as dynamic shared memory, whose size is given at the launch. A
    template counts with the sizes of each instance: a tile that fits for float does not fit for double.

    Make the tile smaller, or declare `extern __shared__ char memory[];`, give the bytes as the third
    launch argument and raise the kernel's limit first with cudaFuncSetAttribute(kernel,
    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
    """

    code = "DG301"
    name = "static-shared-memory-too-large"
    CASES = (
        Case("static_smem_too_big", says="k(float*) declares 65536 bytes", line=4),
        Case("shared_two_kernels", says="row_sum<double, 8192>(double*)", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_TOO_MUCH, "ptxas")
        if found is None:
            return None
        said, m = found
        kernel = demangle(m["kernel"]) or m["kernel"]
        used, most = int(m["used"], 16), int(m["most"], 16)
        return Hit(
            f"{kernel} declares {used} bytes of __shared__ memory; {most} are the most that may be declared",
            said.at,
            f"make the __shared__ arrays of {bare(kernel)} smaller, or make them dynamic: `extern __shared__`, with the "
            "bytes given at the launch and cudaFuncSetAttribute before it",
            span=definition_span(candidate, m["kernel"]),
        )
