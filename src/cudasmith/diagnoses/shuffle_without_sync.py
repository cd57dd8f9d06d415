"""DG224."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import SHUFFLES, unknown_name
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class ShuffleWithoutSync(Diagnosis):
    """A warp function without `_sync` is used: `__shfl_down`, `__shfl_xor`, `__ballot`, `__any`, `__all`.

    Since Volta the threads of a warp may run apart, so these functions must be told who takes part. The old forms were
    removed.

    Write the `_sync` form with a mask as its first argument: `__shfl_down_sync(0xffffffff, v, 16)` when all 32 threads
    arrive there together.
    """

    code = "DG224"
    name = "shuffle-without-sync"
    proves = True
    CASES = (Case("shuffle_without_sync", says="__shfl_down", line=7),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "shuffle":
            return None
        name, better = unknown.name, SHUFFLES[unknown.name]
        place = spot(log, unknown.said, candidate)
        fix = None
        if (
            place is not None
            and (m := re.search(rf"\b{name}\s*\(", place.text))
            and place.text.count(name) == 1
        ):
            span = place.region.span(place.start + m.start(), place.start + m.end())
            fix = Fix(span, f"{better}(0xffffffff, ") if span is not None else None
        return hit_at(
            unknown.said,
            f"{name} no longer exists",
            f"write {better}(0xffffffff, ...): the mask names all 32 threads",
            fix=fix,
        )
