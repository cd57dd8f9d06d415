"""DG278."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class SharedInHost(Diagnosis):
    """A `__shared__` variable is declared in a function of the host.

    Shared memory belongs to a block of threads on the GPU; the host has none and cannot fill it.

    Declare it in the kernel. For a size that the host chooses write `extern __shared__ float s[];` there, and give the
    bytes as the third number of the launch.
    """

    code = "DG278"
    name = "shared-in-host"
    CASES = (Case("shared_in_host_function", says="__shared__", line=17),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r'.*"?__shared__"? variable declaration is not allowed inside a host function')
        if found is None:
            return None
        help = "move it into the kernel; give the bytes of dynamic shared memory at the launch: <<<blocks, threads, bytes>>>"
        return hit_at(found[0], "a __shared__ variable is declared in a host function", help)
