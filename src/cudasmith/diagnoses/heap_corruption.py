"""DG709."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

# The words of glibc's checks.
_SAID = re.compile(
    r"(?P<what>double free(?: or corruption| detected)|free\(\): invalid|munmap_chunk\(\): invalid pointer|"
    r"corrupted (?:size vs\. prev_size|double-linked list)|malloc\(\): (?:corrupted|invalid|unsorted|memory corruption)|"
    r"realloc\(\): invalid|malloc_consolidate\(\)|\*\*\* stack smashing detected \*\*\*)"
)


class HeapCorruption(Diagnosis):
    """The allocator of the host found its lists damaged: something freed twice, or wrote outside its memory.

    Host arrays written past their end, a pointer freed that torch owns too (free on data_ptr, from_blob
    with a deleter that frees again), or two C++ ABIs in one process. The damage is older than the
    message, so the place it names is not the guilty one.

    Let torch own memory; use at::Tensor instead of new and malloc. `valgrind python FILE` or a build with
    -fsanitize=address names the write itself.
    """

    code = "DG709"
    name = "heap-corruption"
    hides = ("DG702",)
    CASES = (Case("end_double_free", says="double free detected", returncode=134),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_SAID)
        if found is None:
            return None
        at, m = found
        return Hit(
            f"the host's memory was damaged: {m['what'].strip('* ')}",
            at,
            "look for host arrays written past their end and for memory freed twice; "
            "a build with -fsanitize=address finds it",
            span=user_frame(log, at, candidate),
        )
