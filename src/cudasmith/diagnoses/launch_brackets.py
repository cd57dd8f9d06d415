"""DG275."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate

_KERNEL = r"__global__[^;{{}}]*?\b{name}\s*\("
_LAUNCH = re.compile(
    r"\b(?P<name>\w+)\s*(?:<[^<>]*>)?\s*(?P<open><{2,})(?!<)(?P<between>.*?)(?P<close>>{2,})\s*(?P<behind><[^<>]*>)?\s*\("
)


class LaunchBrackets(Diagnosis):
    """A launch has not its three brackets on each side, or something stands between them and the arguments.

    `kernel<<blocks, threads>>(...)` is a shift to the left and one to the right for C++, so the compiler complains of the types of
    numbers. Template arguments belong to the name: `kernel<256><<<blocks, threads>>>(...)`.

    Write name, template arguments, <<<blocks, threads>>>, arguments.
    """

    code = "DG275"
    name = "launch-brackets"
    hides = ("DG201", "DG211", "DG242", "DG251")
    CASES = (
        Case("launch_two_brackets", says="relu_kernel<<", line=17),
        Case("template_arguments_behind_launch", says="behind", line=18),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r"expression must have|expected|no operator|invalid operands")
        place = spot(log, found[0], candidate) if found is not None else None
        if found is None or place is None:
            return None
        for m in _LAUNCH.finditer(place.text):
            if not re.search(_KERNEL.format(name=m["name"]), place.region.text):
                continue
            if (m["open"], m["close"]) != ("<<<", ">>>"):
                message = f"the launch {m['name']}{m['open']}...{m['close']} lacks a bracket"
                return hit_at(found[0], message, f"write {m['name']}<<<...>>>(...)")
            if m["behind"]:
                message = f"the template arguments of {m['name']} stand behind the launch"
                help = f"write {m['name']}{m['behind']}<<<...>>>(...)"
                return hit_at(found[0], message, help)
        return None
