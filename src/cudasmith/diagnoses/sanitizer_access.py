"""DG640."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_ACCESS = re.compile(
    r"^=+\s+Invalid (?P<space>__\w+__) (?P<kind>read|write|atomic) of size (?P<size>\d+)(?: bytes)?"
)
_AT = re.compile(
    r"^=+\s+at (?:0x[0-9a-f]+ in )?(?P<kernel>.*?)(?:\+0x[0-9a-f]+)?(?: in (?P<file>[^\s:]+):(?P<line>\d+))?$"
)
_BY = re.compile(r"^=+\s+by thread (?P<thread>\([\d,]+\)) in block (?P<block>\([\d,]+\))")
_WHERE = re.compile(r"^=+\s+(?:Access at|Address) \S+ is (?P<how>.*)$")
_NEAR = re.compile(r"^=+\s+and is (?P<near>.*?) at 0x")
_FOLLOWING = 6  # lines after the head that describe one access


class SanitizerAccess(Diagnosis):
    """compute-sanitizer (or cuda-memcheck) saw a kernel touch memory that is not its own.

    It names the kernel, the thread and the kind of memory; built with -lineinfo, the line as well. "N
    bytes after the nearest allocation" is an index a little too large, mostly a missing bound check; a
    misaligned address is a cast to a vector; an address near 0 is a null pointer or a pointer of the
    host.

    Compute the index of that thread by hand, with the block size of the launch, and compare it with the
    tensor's size. Only the first report counts. Add "-lineinfo" to extra_cuda_cflags to get lines.
    """

    code = "DG640"
    name = "sanitizer-access"
    hides = ("DG601", "DG602", "DG605")
    CASES = (  # the wordings come from public reports
        Case("public_sanitizer_access", says="compress reads 4 bytes of global memory outside"),
        Case("public_sanitizer_access_older", says="CycleTrackingGuts reads 8 bytes"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_ACCESS)
        if found is None:
            return None
        at, access = found
        told = log.lines[at + 1 : at + 1 + _FOLLOWING]
        place, by, where, near = (_first(p, told) for p in (_AT, _BY, _WHERE, _NEAR))
        kernel = place["kernel"].split("(")[0].strip() if place else "a kernel"
        verb = {"read": "reads", "write": "writes", "atomic": "updates"}[access["kind"]]
        memory = access["space"].strip("_")
        wrong = (
            "at a misaligned address"
            if where and "misaligned" in where["how"]
            else "outside every allocation"
        )
        who = f"thread {by['thread']} of block {by['block']}" if by else "a thread"
        return Hit(
            f"{kernel} {verb} {access['size']} bytes of {memory} memory {wrong}",
            at,
            f"compute the index of {who} and compare it with the tensor's size; the check `if (i < n)` is the usual one",
            file=place["file"] if place else None,
            line=int(place["line"]) if place and place["line"] else None,
            notes=(f"the address is {near['near']}",) if near else (),
        )


def _first(pattern: re.Pattern[str], lines: tuple[str, ...]) -> re.Match[str] | None:
    return next((m for line in lines if (m := pattern.match(line))), None)
