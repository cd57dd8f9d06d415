"""DG273."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import unknown_name
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    rf'namespace "(?P<space>[\w:]+)" has no member "(?P<member>\w+)"'
    rf"|{Q}(?P<gxx_member>\w+){Q} is not a member of {Q}(?:::)?(?P<gxx_space>[\w:]+){Q}"
    rf"(?:; did you mean {Q}(?P<mean>[\w:]+){Q})?"
)
_TORCH = [
    "empty",
    "empty_like",
    "zeros",
    "zeros_like",
    "ones",
    "ones_like",
    "full",
    "full_like",
    "rand",
    "randn",
    "arange",
    "linspace",
    "tensor",
    "from_blob",
    "cat",
    "stack",
    "sum",
    "mean",
    "var",
    "max",
    "min",
    "argmax",
    "argmin",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "abs",
    "relu",
    "gelu",
    "sigmoid",
    "tanh",
    "softmax",
    "log_softmax",
    "matmul",
    "mm",
    "bmm",
    "addmm",
    "add",
    "sub",
    "mul",
    "div",
    "pow",
    "where",
    "clamp",
    "clamp_min",
    "clamp_max",
    "conv1d",
    "conv2d",
    "conv3d",
    "layer_norm",
    "batch_norm",
    "cumsum",
    "cumprod",
    "sort",
    "topk",
    "kFloat",
    "kFloat16",
    "kFloat32",
    "kFloat64",
    "kDouble",
    "kHalf",
    "kBFloat16",
    "kInt",
    "kInt32",
    "kInt64",
    "kLong",
    "kShort",
    "kByte",
    "kChar",
    "kBool",
    "kUInt8",
    "kInt8",
    "kCUDA",
    "kCPU",
    "Tensor",
    "TensorOptions",
    "ScalarType",
    "Device",
    "DeviceType",
    "NoGradGuard",
]


class NoSuchNamespaceMember(Diagnosis):
    """A namespace that is known has nothing of that name: `torch::emptylike`.

    The name is misspelt, belongs to Python only, lives in another namespace (functions with names ending in _backward and
    other internals stand in at::), or was taken out of torch.

    Correct the name. What torch has is listed in ATen/Functions.h, below torch/include of the installed package.
    """

    code = "DG273"
    name = "no-such-namespace-member"
    CASES = (
        Case("namespace_member_misspelt", says="torch::emptylike", line=15),
        Case("gxx_namespace_member", says="torch::gelu_fast", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None or unknown_name(log) is not None:
            return None
        said, m = found
        space, member = m["space"] or m["gxx_space"], m["member"] or m["gxx_member"]
        close = difflib.get_close_matches(member, _TORCH, 1, 0.8) if space in ("torch", "at") else []
        message = f"{space}::{member} does not exist"
        if m["mean"]:
            return hit_at(said, message, f"write {m['mean']}")
        if not close:
            return hit_at(
                said, message, f"correct the name: no header that this source includes declares it in {space}"
            )
        place = spot(log, said, candidate)
        span = place.word(member) if place is not None else None
        fix = Fix(span, close[0]) if span is not None and _same_letters(member, close[0]) else None
        return hit_at(said, message, f"was {space}::{close[0]} meant?", fix=fix)


def _same_letters(name: str, other: str) -> bool:
    """Whether they differ in case and underscores only: then there is no doubt which is meant."""
    return name.replace("_", "").lower() == other.replace("_", "").lower()
