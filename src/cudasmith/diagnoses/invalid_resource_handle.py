"""DG630."""

from __future__ import annotations

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._launches import reached_hosts
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._suspects import bad_events, named_call, used_after_end
from cudasmith.model import Candidate


class InvalidResourceHandle(CudaError):
    """Streams, events and handles belong to the device that was current when they were made.

    Typical: the input is on cuda:1 and nobody switched to it; a stream kept in a static variable; a
    handle that was destroyed or never made; a stream passed as an integer from Python. cudaEventElapsedTime gives it for
    events that were made with cudaEventDisableTiming or never recorded.

    A device guard at the head of the host function and the current stream of that device cure the first. Destroy streams
    and events behind their last use, and make those that are timed with cudaEventCreate.
    """

    code = "DG630"
    name = "invalid-resource-handle"
    names = ("cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE")
    text = "invalid resource handle"
    number = 400
    fact = "a stream, an event or a library handle is not valid where it is used: of another device, destroyed or never made"
    remedy = (
        "put c10::cuda::CUDAGuard guard(x.device()) first in the host function and launch on "
        "at::cuda::getCurrentCUDAStream(); keep no stream or handle in a static variable"
    )
    at_launch = True
    CASES = (
        Case("public_invalid_resource_handle"),  # the wording comes from public reports
        Case("cuda_event_without_timing", says="cudaEventDisableTiming", line=20),
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        """At the event or stream that the text shows to be wrong, where it shows one."""
        found = super().hit(said, log, candidate)
        hosts, named = reached_hosts(log, said.at, candidate), named_call(log.lines[said.at])
        suspects = [
            s for s in (*bad_events(hosts), *used_after_end(hosts)) if not s.call or named in ("", s.call)
        ]
        if not suspects:
            return found
        first = min(suspects, key=lambda s: not s.proven)
        return attrs.evolve(
            found,
            message=first.message,
            help=first.help,
            span=first.span,
            confidence="high" if first.proven else "medium",
        )
