"""DG231."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_CALL = re.compile(
    r'calling a __device__ function\("(?P<callee>.*?)"\)\s*from a __host__(?: __device__)? '
    r'function\("(?P<caller>.*?)"\) is not allowed'
)


class DeviceFunctionInHost(Diagnosis):
    """A host function calls a function that exists on the GPU only.

    Functions marked `__device__`, and built-ins such as `__syncthreads` or `atomicAdd`, have no code for the CPU. Only a
    launch of a kernel, `kernel<<<...>>>(...)`, leads from the host to the GPU.

    Move the call into a kernel. If your own function should work on both sides, mark it `__host__ __device__`. To wait
    for a kernel on the host there is cudaDeviceSynchronize(), but torch does not need it.
    """

    code = "DG231"
    name = "device-function-in-host"
    CASES = (
        Case("device_call_in_host", says="twice", line=8),
        Case("syncthreads_in_host", says="__syncthreads", line=9),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _CALL)
        if found is None:
            return None
        said, match = found
        name, caller = match["callee"].partition("(")[0], match["caller"].partition("(")[0]
        message = f"{caller} runs on the host and calls {name}, which exists on the GPU only"
        if name.startswith("__sync"):
            return hit_at(said, message, f"delete it here: {name} belongs into a kernel")
        return hit_at(said, message, f"call {name} in a kernel, or mark it __host__ __device__")
