"""DG264."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r'incomplete type "nvcuda::wmma::fragment<nvcuda::wmma::(?P<use>\w+), (?P<m>\d+), (?P<n>\d+), (?P<k>\d+), (?P<type>[\w:]+)'
)


class WmmaShape(Diagnosis):
    """A `wmma::fragment` has a shape or type that tensor cores do not offer.

    Only a few shapes exist: 16x16x16, 32x8x16 and 8x32x16 for half, bfloat16 and bytes, 16x16x8 for tf32, 8x8x4 for double
    (bytes and smaller aside). Every other combination of template arguments has no definition, and the compiler calls it an incomplete type.

    Use a shape from that list. For tf32 the element type is wmma::precision::tf32, for the accumulator float.
    """

    code = "DG264"
    name = "wmma-shape"
    CASES = (Case("wmma_bad_shape", says="16x16x8", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        shape = f"{m['m']}x{m['n']}x{m['k']}"
        if shape == "16x16x8" and m["type"].endswith(("half", "bfloat16")):
            help = "use 16x16x16 for this type; 16x16x8 is for wmma::precision::tf32"
        else:
            help = "use 16x16x16, 32x8x16 or 8x32x16 (half, bfloat16, bytes), 16x16x8 (tf32), 8x8x4 (double)"
        return hit_at(said, f"there is no wmma fragment of shape {shape} for {m['type']}", help)
