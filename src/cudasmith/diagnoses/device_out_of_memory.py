"""DG611."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._frames import user_lines
from cudasmith.diagnoses._launches import parts, reached_hosts
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._suspects import code, line_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_ASKED = re.compile(r"Tried to allocate (?P<asked>[\d.]+ \w+)")
_FREE = re.compile(r"of which (?P<free>[\d.]+ \w+) is free|; (?P<older>[\d.]+ \w+) free")
_WHOLE = re.compile(r"total capacity of (?P<all>[\d.]+ \w+)|; (?P<older>[\d.]+ \w+) total capacity")
_UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_MADE = re.compile(
    r"(?:(?:torch|at)::|\.\s*new_)(?:empty|zeros|ones|full|rand|randn)\s*\(\s*(?:torch::IntArrayRef\s*)?\{(?P<sizes>[^{}]*)\}"
)
_OTHERS = re.compile(r"Process \d+ has [\d.]+ \w+ memory in use")


class DeviceOutOfMemory(CudaError):
    """An allocation did not fit into the memory of the GPU.

    What fills it: tensors kept alive by references (lists of results, graphs of autograd without
    torch.no_grad()), other processes on the card, workspaces, and intermediate tensors as large as the
    input. A size computed wrongly in a host function, or one that grows with the square of the input, asks for more than
    the GPU has at all.

    Free what is not needed, use no_grad() for inference, look at `nvidia-smi` for other processes, make
    the input smaller. If much is reserved and unallocated,
    PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True helps against fragments.
    """

    code = "DG611"
    name = "device-out-of-memory"
    names = ("cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY")
    text = "out of memory"
    also = ("CUDA out of memory",)
    number = 2
    fact = "the GPU has not enough free memory"
    remedy = "free tensors, use torch.no_grad(), a smaller input, or a GPU that no other process fills (nvidia-smi)"
    CASES = (  # the wordings come from public reports
        Case("public_device_out_of_memory", says="22.78 GiB were asked for, 12.73 GiB are free"),
        Case("public_device_out_of_memory_older", says="2.26 GiB were asked for, 3.03 GiB are free"),
        Case(
            "cuda_matrix_of_distances", says="more than the whole GPU has (139.80 GiB)", line=19
        ),  # captured
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        line = log.lines[said.at]
        asked, free = _ASKED.search(line), _FREE.search(line)
        if asked is None:
            return found
        notes = ("another process uses memory of this GPU",) if _OTHERS.search(line) else ()
        whole = _WHOLE.search(line)
        if whole is not None and _bytes(asked["asked"]) > _bytes(whole["all"] or whole["older"]):
            place = _largest(log, said.at, candidate)
            return attrs.evolve(
                found,
                message=f"{asked['asked']} were asked for at once, more than the whole GPU has ({whole['all'] or whole['older']})",
                help="make no tensor of that size: work on blocks of rows, or correct the size that was computed",
                span=place or found.span,
                notes=(*found.notes, *notes, *_came_out(place, found.span)),
                confidence="high" if place is None else "medium",
            )
        message = f"the GPU has not enough free memory: {asked['asked']} were asked for"
        if free is not None:
            message += f", {free['free'] or free['older']} are free"
        return attrs.evolve(found, message=message, notes=(*found.notes, *notes))


def _came_out(place: Span | None, frame: Span | None) -> tuple[str, ...]:
    """That the place is a guess, and the line of the traceback."""
    if place is None or frame is None:
        return ()
    return (f"this line may be what asks for it: the error came out at line {frame.line}",)


def _bytes(amount: str) -> float:
    number, unit = amount.split()
    return float(number) * _UNITS.get(unit, 1)


def _largest(log: Log, at: int, candidate: Candidate | None) -> Span | None:
    """The one tensor that the called function makes, or the one whose size has a square."""
    if candidate is None or not user_lines(log, at, candidate):
        return None
    made = [
        (region, host.start + m.start(), m["sizes"])
        for region, host in reached_hosts(log, at, candidate)
        for m in _MADE.finditer(code(region, host))
    ]
    squares = [m for m in made if len(set(p := parts(m[2]))) < len(p)]
    likely = made if len(made) == 1 else squares
    return line_at(*likely[0][:2]) if len(likely) == 1 else None
