"""Tolerance: the allowance of rule.py, for tensors."""

from __future__ import annotations

import math

import attrs
import torch

from cudasmith.stages._verify.rule import FACTOR


@attrs.frozen
class Tolerance:
    """The allowance for one output tensor."""

    dtype: torch.dtype
    terms: int
    torch_rms: float
    largest: float  # the largest finite |reference| of this output
    widened: float = 1.0

    def allowed(self, reference: torch.Tensor, absolute: torch.Tensor | None) -> torch.Tensor:
        """Float64, one value per element; where the reference is not finite the value means nothing."""
        root = math.sqrt(max(1, self.terms))
        magnitude = reference.abs()
        if absolute is not None:
            extra = absolute.abs().clamp(max=root * self.largest)
            magnitude = torch.where(torch.isfinite(extra), torch.maximum(magnitude, extra), magnitude)
        share = max(roundoff(self.dtype), accumulator_roundoff(self.dtype) * root)
        return self.widened * FACTOR * (share * magnitude + self.torch_rms) + torch.finfo(self.dtype).tiny


def roundoff(dtype: torch.dtype) -> float:
    """Half the distance from 1 to the next number."""
    return float(torch.finfo(dtype).eps) / 2


def accumulator_roundoff(dtype: torch.dtype) -> float:
    return 2.0**-53 if dtype == torch.float64 else 2.0**-24
