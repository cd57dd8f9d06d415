"""DG527."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class TwoDevices(RaisedError):
    """An operation was given tensors on different devices.

    A weight or a new tensor stayed on the CPU while the input is on the GPU: a tensor attribute that is
    no Parameter or buffer does not move with model.cuda().

    Register it with register_buffer, or make it with device=x.device.
    """

    code = "DG527"
    name = "two-devices"
    pattern = r"(?:Expected all tensors to be on the same device, but (?:found at least two devices, |got .* is on )(?P<a>[\w:]+)|Tensor on device (?P<b>[\w:]+) is not on the expected device)"
    fact = "tensors of one operation are on different devices"
    remedy = (
        "make the tensor with device=x.device, or register it with register_buffer so that it moves with "
        "the model"
    )
    CASES = (
        Case("run_two_devices", says="different devices", line=5),
        Case("public_two_devices", says="different devices"),
    )
