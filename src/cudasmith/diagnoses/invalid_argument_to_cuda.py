"""DG610."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._launches import (
    OnlyLaunch,
    Suspect,
    known_number,
    reached_hosts,
    reached_launch,
    rounds_down,
    shape,
    shape_suspect,
)
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._suspects import bad_arguments, named_call
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span

FREE = 48 * 1024  # bytes of shared memory of a block without a request
LARGEST = 227 * 1024  # bytes on any GPU so far
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
        Case("cuda_texture_pitch_in_elements", says="may refuse pitchInBytes = W", line=24),
        Case("cuda_copy_beyond_symbol", says="c_taps holds 32 bytes", line=21),
        Case("cuda_grid_rounded_down", says="n / threads blocks may be none", line=18),
        Case("odd_rows_in_grid_y", says="rows blocks in y or z may be", line=20),
        Case("public_invalid_argument", says="cudaMemcpy got"),  # the wording comes from public reports
        Case("public_dynamic_shared_memory", says="row_sum_kernel", line=23),  # the input is our own
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        """At what the text's numbers prove; else at what is most likely, which the message then says with "may"."""
        found = super().hit(said, log, candidate)
        named = named_call(log.lines[said.at])
        if named:
            found = attrs.evolve(found, message=f"{named} got an invalid argument")
        suspects = [s for s in bad_arguments(reached_hosts(log, said.at, candidate)) if named in ("", s.call)]
        launch = None if named else reached_launch(log, said.at, candidate)
        if launch is not None:
            suspects += [s for s in (_shared_memory(launch), _shape(launch)) if s is not None]
        if not suspects:
            return found if launch is None else attrs.evolve(found, span=user_frame(log, said.at, candidate))
        first, *others = sorted(suspects, key=lambda s: not s.proven)
        return attrs.evolve(
            found,
            message=first.message
            if first.proven
            else f"a CUDA call got an invalid argument: {first.message}",
            help=first.help,
            span=first.span,
            notes=(*found.notes, *(f"or else: {s.message}" for s in others if not first.proven)),
            confidence="high" if first.proven else "medium",
            fix=_request(launch) if launch is not None and _is_request(first) else None,
        )


def _shape(launch: OnlyLaunch) -> Suspect | None:
    """The grid or block, unless nothing but an empty tensor speaks against it."""
    suspect, grid = shape_suspect(launch), shape(launch, 0)
    if suspect is None or grid is None or suspect.proven:
        return suspect
    doubtful = any(rounds_down(e) for e in grid.extents) or any(
        not re.fullmatch(r"\d+", e) for e in grid.extents[1:]
    )
    return attrs.evolve(suspect, message=f"{launch.site.name}: {suspect.message}") if doubtful else None


def _shared_memory(launch: OnlyLaunch) -> Suspect | None:
    """The dynamic shared memory of a launch, unless it is known to be small enough."""
    if len(launch.config) < 3:
        return None
    asked, bytes_ = ATTRIBUTE in launch.region.text, known_number(launch, launch.config[2])
    if bytes_ is not None and bytes_ <= FREE:
        return None
    shown, kernel = launch.config[2], launch.site.kernel
    most = "this GPU has" if asked else "the 48 KB that need no request"
    proven = bytes_ is not None and (not asked or bytes_ > LARGEST)
    if proven:
        message = (
            f"{launch.site.name} is launched with {bytes_} bytes of dynamic shared memory, more than {most}"
        )
    else:
        message = (
            f"{launch.site.name} may be launched with more dynamic shared memory than {most}: {shown} bytes"
        )
    help = f"call cudaFuncSetAttribute({kernel}, {ATTRIBUTE}, {shown}) before the launch"
    if asked:
        help = "use less: the card's limit is cudaDevAttrMaxSharedMemoryPerBlockOptin"
    return Suspect(message, help, launch.span, proven)


def _is_request(suspect: Suspect) -> bool:
    return suspect.help.startswith("call cudaFuncSetAttribute(")


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
