"""DG301."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.cuda.shared import find_shared
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._sizes import declared_bytes
from cudasmith.diagnoses._symbol import bare, definition, definition_span
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

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
        Case("odd_largest_shared_array", says="bytes", line=8),
        Case("odd_two_shared_arrays", says="65536", line=12),
        Case("static_smem_too_big", says="k(float*) declares 65536 bytes", line=4),
        Case("shared_two_kernels", says="row_sum<double, 8192>(double*)", line=6),
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
            span=_largest(candidate, m["kernel"]) or definition_span(candidate, m["kernel"]),
        )


def _largest(candidate: Candidate | None, mangled: str) -> Span | None:
    """The declaration of the kernel's largest __shared__ array; the first, where their sizes are not plain."""
    region, kernel = definition(bare(demangle(mangled) or mangled), candidate)
    if region is None or kernel is None:
        return None
    own = [d for d in find_shared(region.text) if kernel.start <= d.start < kernel.end and not d.dynamic]
    if not own:
        return None
    largest = max(
        own, key=lambda d: declared_bytes(region.text, d.type, "".join(v.dimensions for v in d.variables))
    )
    return region.span(largest.start, largest.end)
