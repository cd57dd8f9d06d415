"""DG543."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NumpyOfGradient(RaisedError):
    """numpy() was called on a tensor that requires grad.

    NumPy cannot carry a gradient, so torch asks for a plain tensor.

    Write x.detach().cpu().numpy().
    """

    code = "DG543"
    name = "numpy-of-gradient"
    pattern = r"^Can't call numpy\(\) on Tensor that requires grad"
    fact = "numpy() is called on a tensor that requires grad"
    remedy = "write .detach().cpu().numpy()"
    CASES = (Case("run_numpy_of_grad", says="requires grad", line=4),)
