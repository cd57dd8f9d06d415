"""DG238."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r'no suitable constructor exists to convert from "(?P<type>.*?)" to "dim3"|no instance of constructor "dim3::dim3"'
)


class LaunchConfigurationType(Diagnosis):
    """What stands between `<<<` and `>>>` has no type that fits.

    The first two entries are whole numbers or dim3, the third is a number of bytes, the fourth a cudaStream_t. Pointers and
    tensors are none of these; neither is a dim3 made from them.

    Write `dim3 grid(...)` with integers, and convert sizes of tensors with `static_cast<unsigned>(...)`.
    """

    code = "DG238"
    name = "launch-configuration-type"
    CASES = (
        Case("launch_config_type", says="float *", line=6),
        Case("grid_from_tensor", says="float *", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, match = found
        types = detail(log, said, r"argument types are: \((?P<type>.*)\)")
        given = match["type"] or (types["type"] if types else "something else")
        return hit_at(
            said,
            f"a grid or block is made from {given}",
            "use whole numbers or a dim3 made from whole numbers",
        )
