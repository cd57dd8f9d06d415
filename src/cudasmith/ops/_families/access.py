"""Load and Store functors: how a kernel reads its main tensor and writes its result.

A kernel template never touches the pointers of its main input and first output. It calls `load(i)` and
`store(i, v)` with the linear index of the logical, contiguous tensor; pointwise work folded into the
kernel lives inside these functors. Both carry `using value = float;` (the compute type). In the fast
tier they also have `load.pack(i, v)` and `store.pack(i, v)` for `value v[N]` at consecutive indices
i .. i+N-1: one access of N * sizeof(element) bytes where `i` is a multiple of N and the tensor is
aligned (the caller proves both: `fn_aligned` below), element by element otherwise.
"""

from __future__ import annotations

import attrs

from cudasmith.model import HostParam


@attrs.frozen
class Load:
    """`struct`: the functor's device text, named `name`. `params`: tensors the host function takes for it.

    `checks`: host lines that validate and make contiguous; `sizes`: host expression for the logical
    sizes (an IntArrayRef); `construct`: host expression that makes the functor; `like`: a host tensor
    whose options() allocate outputs; `aligned`: host bool expression, true when `pack` of 16 bytes may
    be used from any index that is a multiple of the pack size.
    """

    name: str
    struct: str
    params: tuple[HostParam, ...]
    checks: tuple[str, ...]
    sizes: str
    construct: str
    like: str
    value: str  # compute type, "float"
    element_bytes: int  # of the largest leaf
    aligned: str = "true"
    fused: tuple[str, ...] = ()  # graph nodes folded in, for the report
    bytes_per_element: int = 0


@attrs.frozen
class Store:
    """Like Load for the result: the host allocates `torch::empty(sizes, like.options().dtype(dtype))`
    into a variable called `out`, then uses `construct`."""

    name: str
    struct: str
    params: tuple[HostParam, ...]
    checks: tuple[str, ...]  # need `out_sizes` (an IntArrayRef or vector) in scope
    construct: str
    dtype: str  # "torch::kFloat"
    value: str  # compute type of what the kernel hands over
    element_bytes: int
    aligned: str = "true"
    fused: tuple[str, ...] = ()
    bytes_per_element: int = 0
