"""DG606."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class LaunchTimeout(CudaError):
    """A GPU that drives a display stops kernels after some seconds, so that the screen does not freeze.

    An endless loop is the usual reason: a spin on a lock or a flag of a block that is not running, a
    while loop whose step is zero, an int counter that overflows. A correct kernel over a huge input can
    be too long as well.

    Bound every loop; let no block wait for another. On machines for computing there is no watchdog: there
    the same fault hangs forever.
    """

    code = "DG606"
    name = "launch-timeout"
    names = ("cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT")
    text = "the launch timed out and was terminated"
    number = 702
    fact = "a kernel ran longer than the watchdog of the display allows, and was stopped"
    remedy = (
        "look for a loop in the kernel whose end depends on data or on another block; if the kernel is "
        "merely long, split it or run on a GPU without a display"
    )
    CASES = (Case("public_launch_timeout"),)  # the wording comes from public reports
