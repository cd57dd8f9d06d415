"""DG528."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NoKernelForBackend(RaisedError):
    """An operator has no implementation for the kind of tensor that it was given.

    The operator was registered for CUDA alone and got a CPU tensor, or the other way round; sparse,
    quantized and meta tensors are kinds of their own.

    Move the input to the device that the operator has, or register it for this one
    (TORCH_LIBRARY_IMPL(ns, CPU, m)); make sparse tensors dense with .to_dense().
    """

    code = "DG528"
    name = "no-kernel-for-backend"
    types = r"NotImplementedError|RuntimeError"
    pattern = r"^Could not run '(?P<op>[\w:.]+)' with arguments from the '(?P<backend>\w+)' backend"
    fact = "{op} has no implementation for {backend} tensors"
    remedy = "move the input to a device that {op} has an implementation for, or register one for {backend}"
    CASES = (
        Case("run_no_kernel_for_backend", says="mine::scale has no implementation for CPU", line=6),
        Case("run_sparse_backend", says="SparseCPU", line=4),
    )
