"""DG610."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._launches import OnlyLaunch, reached_launch, refused_shape, shape
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span

ATTRIBUTE = "cudaFuncAttributeMaxDynamicSharedMemorySize"


class InvalidArgumentToCuda(CudaError):
    """A CUDA call got a value that it cannot take. At a launch that is nearly always too much dynamic shared
    memory.

    A kernel may have 48 KB of shared memory without asking; __shared__ arrays count towards it. More, up
    to some 99 KB or 227 KB by card, must be asked for with cudaFuncSetAttribute before the launch; above
    the card's limit that call gives this error itself. In other calls it is a null pointer, a negative
    size, a copy in the wrong direction.

    Write cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the
    launch, with the same template arguments, and refuse sizes above
    cudaDevAttrMaxSharedMemoryPerBlockOptin. Or use less: a tile, not a row.
    """

    code = "DG610"
    name = "invalid-argument-to-cuda"
    names = ("cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE")
    text = "invalid argument"
    number = 1
    fact = "a CUDA call got an invalid argument"
    remedy = (
        f"if it was a launch with more than 48 KB of shared memory: cudaFuncSetAttribute(kernel, {ATTRIBUTE}, bytes) "
        "before it; otherwise look at pointers and sizes of the call"
    )
    at_launch = True
    CASES = (
        Case("odd_rows_in_grid_y", says="rows blocks in y", line=20),
        Case("public_invalid_argument"),  # the wording comes from public reports
        Case("public_dynamic_shared_memory", says="row_sum_kernel", line=23),  # the input is our own
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        launch = reached_launch(log, said.at, candidate)
        if launch is None:
            return found
        if len(launch.config) < 3 or launch.config[2] == "0":
            grid = shape(launch, 0)
            wide = grid is not None and any(not re.fullmatch("[01]", e) for e in grid.extents[1:])
            return refused_shape(found, launch) if wide else attrs.evolve(found, span=None)
        kernel, bytes_ = launch.site.kernel, launch.config[2]
        asked = ATTRIBUTE in launch.region.text
        message = f"{launch.site.name} is launched with {bytes_} bytes of dynamic shared memory, "
        message += "more than this GPU has" if asked else "more than the 48 KB that need no request"
        return attrs.evolve(
            found,
            message=message,
            help="use less: the card's limit is cudaDevAttrMaxSharedMemoryPerBlockOptin"
            if asked
            else f"call cudaFuncSetAttribute({kernel}, {ATTRIBUTE}, {bytes_}) before the launch",
            confidence="medium",
            fix=None if asked else _request(launch),
        )


def _request(launch: OnlyLaunch) -> Fix | None:
    """The call in front of the launch, where the launch is a statement of a block."""
    text, start = launch.region.text, launch.site.start
    before = text[:start].rstrip()
    place = launch.span
    if not before.endswith((";", "{", "}")) or place is None:
        return None
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    if indent.strip():
        return None
    call = f"cudaFuncSetAttribute({launch.site.kernel}, {ATTRIBUTE}, (int)({launch.config[2]}));"
    return Fix(Span(place.line, place.column, place.line, place.column), f"{call}\n{indent}")
