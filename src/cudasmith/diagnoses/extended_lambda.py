"""DG236."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate


class ExtendedLambda(Diagnosis):
    """A lambda marked `__device__`, or one that a kernel is given, needs a flag of nvcc or the mark itself.

    nvcc allows device lambdas in host functions only with `--extended-lambda`. And a lambda without `__device__` is host
    code that a kernel cannot run, even with the flag.

    Add `extra_cuda_cflags=["--extended-lambda"]` and write `[=] __device__ (...)`, or use a struct with
    `__device__ float operator()(float v) const` instead, which needs no flag.
    """

    code = "DG236"
    name = "extended-lambda"
    CASES = (
        Case("extended_lambda", says="--extended-lambda", line=12),
        Case("inline_lambda_no_device", says="without __device__", line=7),
        Case("host_lambda_given_to_kernel", says="without __device__", line=18),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, r".*requires --?(?:extended|expt-extended)-lambda|The closure type for a lambda"
        )
        if found is None:
            return None
        said, _ = found
        if said.text.startswith("The closure type"):
            help = "write [=] __device__ (...) and pass --extended-lambda, or use a struct with a __device__ operator()"
            # cudafe++ names the launch; a lambda that is kept in a variable stands elsewhere
            held = only_place(candidate, r"(?P<at>auto\s+\w+\s*=\s*\[[^\]\n]*\])\s*\(")
            return hit_at(said, "a kernel is given a lambda without __device__", help, span=held)
        help = 'pass extra_cuda_cflags=["--extended-lambda"], or use a struct with a __device__ operator()'
        return hit_at(said, "a __device__ lambda needs the nvcc flag --extended-lambda", help)
