"""DG537."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class TracedKernel(RaisedError):
    """A bound kernel was called with a tensor that has no data: torch.compile, export or FakeTensorMode was
    tracing.

    Tracing runs the model with stand-ins to learn the shapes; a plain pybind11 function cannot take
    them.

    Register the kernel as a custom operator (torch.library.custom_op with register_fake), or keep the
    call out of the compiled part with torch.compiler.disable.
    """

    code = "DG537"
    name = "traced-kernel"
    pattern = r"^The tensor has a non-zero number of elements, but its data is not allocated yet"
    fact = "the kernel was called with a stand-in tensor without data, while the model was traced"
    remedy = (
        "register the kernel with torch.library.custom_op and register_fake, or exclude the call with "
        "torch.compiler.disable"
    )
    CASES = (Case("run_fake_data_ptr", says="traced", line=8),)
