"""DG609."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._launches import reached_launch, refused_shape
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class InvalidLaunchConfiguration(CudaError):
    """The numbers between <<< and >>> are not possible on any GPU, so the kernel was not started.

    The four ways: a grid of 0 blocks, which an empty tensor gives; more than 1024 threads in a block
    (their product over x, y and z), for instance one thread per column; more than 65535 blocks in y or z,
    for instance one per row of a batch; a dimension that became negative or huge when a 64-bit size was
    cut to `unsigned`.

    Return early for numel() == 0. Take a fixed block of 128 or 256 threads and a loop over the columns.
    Put the large dimension into grid.x, which may have 2^31 - 1 blocks, or walk it with a stride.
    """

    code = "DG609"
    name = "invalid-launch-configuration"
    names = ("cudaErrorInvalidConfiguration",)
    text = "invalid configuration argument"
    number = 9
    fact = "a kernel was launched with a grid or block that no GPU allows"
    remedy = (
        "return early when numel() == 0 (grid 0); at most 1024 threads per block; at most 65535 blocks in y and z: "
        "large dimensions belong in grid.x"
    )
    at_launch = True
    CASES = (
        Case("public_invalid_launch_configuration"),  # the wording comes from public reports
        Case(
            "public_too_many_threads", says="2048 threads", line=17
        ),  # the wording too; the input is our own
    )

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        launch = reached_launch(log, said.at, candidate)
        return found if launch is None else refused_shape(found, launch)
