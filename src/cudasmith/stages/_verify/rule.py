"""Tolerance: how far an output may be from the float64 reference, element by element. Derived.

    allowed_i = w * 4 * ( max(u, a * sqrt(n)) * mag_i  +  rms(error of same-dtype PyTorch) )  +  tiny

u      unit roundoff of the output dtype (2^-24 float32, 2^-11 float16, 2^-8 bfloat16, 2^-53 float64):
       the last rounding cannot be better than that.
a      unit roundoff of the accumulator: 2^-53 for float64, else 2^-24, because a kernel has to add up
       half types in float32. With u in its place a bfloat16 sum of 4096 terms would be allowed an
       error as large as itself, and nothing would fail.
n      terms: the longest chain of additions behind one output, plus one for each pointwise step. The
       roundings of n additions are independent, so that their sum grows with sqrt(n), while the
       worst case grows with n and no correct kernel comes near it.
mag_i  the larger of |reference_i| and the reference on absolute values (of inputs and parameters): for
       a sum that is the sum of magnitudes, which is what roundings are proportional to when terms
       cancel. It is capped at sqrt(n) times the largest |reference| of that output, which is what
       cancellation of n random signs can hide; without the cap exp(|x|) would excuse everything.
rms    over one output: covers what PyTorch itself loses on the way (half intermediates, transcendental
       functions, inputs that are badly conditioned).
4      a normal error of unit deviation exceeds 4 once in 16,000 elements, and each of the three parts
       above is already an upper estimate of its deviation; a float32 sum in order of 4096 uniform
       terms is at 0.2 of the allowance, half accumulation or TF32 multiplication is far over it.
w      1, or twice the largest ratio that same-dtype PyTorch itself reaches under this rule, if that is
       more: where its errors have a long tail, or n is not known, the rule is too narrow for any
       implementation, and PyTorch's own worst error is the yardstick.
tiny   the smallest normal number: flushing a subnormal to zero is not an error.
"""

from __future__ import annotations

FACTOR = 4.0
OWN_SHARE = 2.0
RULE = (
    "|got - float64 reference| <= w * 4 * (max(u, a*sqrt(n)) * magnitude + rms error of same-dtype PyTorch) "
    "+ tiny; u: unit roundoff of the output dtype, a: of the accumulator (2^-24, float64: 2^-53), n: terms "
    "behind one output, magnitude: max(|reference|, reference on absolute values, capped); integers and "
    "booleans exact; w: 1, or 2 * the ratio of same-dtype PyTorch itself where that is more; TF32 off"
)
