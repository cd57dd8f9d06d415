"""DG223."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import REMOVED, unknown_name
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class RemovedTorchApi(Diagnosis):
    """A macro or function of early torch is used that newer versions no longer have.

    AT_CHECK, AT_ERROR and the names of THC were replaced years ago; old extensions and tutorials still show them.

    Use the name that took its place.
    """

    code = "DG223"
    name = "removed-torch-api"
    CASES = (Case("removed_macro_at_check", says="AT_CHECK", line=7),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "removed":
            return None
        better = REMOVED[unknown.name]
        place = spot(log, unknown.said, candidate)
        span = place.word(unknown.name) if place is not None and better.isidentifier() else None
        fix = Fix(span, better) if span is not None else None
        return hit_at(unknown.said, f"{unknown.name} was removed from torch", f"use {better}", fix=fix)
