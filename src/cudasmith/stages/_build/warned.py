"""A compiler's warning as a finding at the user's line."""

from __future__ import annotations

import re

from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import hit_line
from cudasmith.model import Candidate, Finding

CODE = "CSB030"
_TOLD = re.compile(
    r"(?P<file>\S*(?:cuda\.cu|main\.cpp))(?:\((?P<line>\d+)\)|:(?P<row>\d+):\d+): warning(?: #(?P<number>\d+)-D)?: (?P<text>.*)"
)
_OPTION = re.compile(r"^(?P<text>.*) \[-W(?P<option>[\w+-]+)[^\]]*\]$")


def warned(warning: str, candidate: Candidate) -> Finding:
    """`warning`: its line; a generated file in it lies in a folder of its module's name."""
    told = _TOLD.match(warning)
    if told is None:
        return Finding(CODE, "warning", warning)
    span = hit_line(Log(warning), 0, told["file"], int(told["line"] or told["row"]), candidate)
    text, help = told["text"], None
    if told["number"]:
        help = f'if it is meant: extra_cuda_cflags=["-diag-suppress={told["number"]}"]'
    elif option := _OPTION.match(text):
        quiet = f'"-Wno-{option["option"]}"'
        cuda = told["file"].endswith("cuda.cu")
        flags = f'extra_cuda_cflags=["-Xcompiler", {quiet}]' if cuda else f"extra_cflags=[{quiet}]"
        text, help = option["text"], f"if it is meant: {flags}"
    return Finding(CODE, "warning", text, span=span, help=help)
