"""DG611."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_ASKED = re.compile(r"Tried to allocate (?P<asked>[\d.]+ \w+)")
_FREE = re.compile(r"of which (?P<free>[\d.]+ \w+) is free|; (?P<older>[\d.]+ \w+) free")
_OTHERS = re.compile(r"Process \d+ has [\d.]+ \w+ memory in use")


class DeviceOutOfMemory(CudaError):
    """An allocation did not fit into the memory of the GPU.

    What fills it: tensors kept alive by references (lists of results, graphs of autograd without
    torch.no_grad()), other processes on the card, workspaces, and intermediate tensors as large as the
    input. A size computed wrongly in a host function asks for absurd amounts.

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
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        line = log.lines[said.at]
        asked, free = _ASKED.search(line), _FREE.search(line)
        if asked is None:
            return found
        message = f"the GPU has not enough free memory: {asked['asked']} were asked for"
        if free is not None:
            message += f", {free['free'] or free['older']} are free"
        notes = ("another process uses memory of this GPU",) if _OTHERS.search(line) else ()
        return attrs.evolve(found, message=message, notes=(*found.notes, *notes))
