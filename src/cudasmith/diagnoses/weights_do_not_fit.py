"""DG136."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_TOLD = re.compile(r"^Error\(s\) in loading state_dict for (?P<model>\w+):")
_MISSING = re.compile(r'Missing key\(s\) in state_dict: (?P<keys>"[^\n]*")')
_SURPLUS = re.compile(r'Unexpected key\(s\) in state_dict: (?P<keys>"[^\n]*")')
_SHAPE = re.compile(
    r"size mismatch for (?P<key>[\w.]+): copying a param with shape (?P<theirs>torch\.Size\(\[[\d, ]*\]\)) from checkpoint, "
    r"the shape in current model is (?P<ours>torch\.Size\(\[[\d, ]*\]\))"
)


class WeightsDoNotFit(Diagnosis):
    """The weights of one model cannot be loaded into another: their names or shapes differ.

    Parameters are matched by name, and a name is the path of attributes: `linear.weight` belongs to `self.linear`. A rewritten
    model that keeps plain Parameters, or transposes a weight once and for all, has other names or shapes.

    Make the same layers or parameters as the reference, under the same names; rearrange a weight in forward, or in a
    buffer that is made on the first call.
    """

    code = "DG136"
    name = "weights-do-not-fit"
    CASES = (
        Case("run_state_dict", line=5),
        Case("run_state_keys", line=5),
        Case("state_dict_keys", says='"weight"', line=18),
        Case("state_dict_shape", says="torch.Size([3, 2])", line=17),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError", _TOLD)
        if found is None:
            return None
        raised, model = found[0], found[1]["model"]
        what = []
        if m := _MISSING.search(raised.text):
            what.append(f"{m['keys']} is missing")
        if m := _SURPLUS.search(raised.text):
            what.append(f"{m['keys']} has no place")
        if m := _SHAPE.search(raised.text):
            what.append(f"{m['key']} is {m['theirs']} there and {m['ours']} here")
        return hit_raised(
            raised,
            f"the weights do not fit {model}: {'; '.join(what) or 'names or shapes differ'}",
            f"give {model} the reference's layers and parameters, with the same names and shapes",
            span=user_frame(log, raised.at, candidate),
        )
