"""Whose fault an error is: the source's own, or the light headers' that lack something torch has."""

from __future__ import annotations

import re

_ERROR = re.compile(
    r"^(?P<file>[^\s(:][^(:\n]*)(?:\((?P<line>\d+)\)|:(?P<row>\d+)(?::\d+)?): (?:fatal |catastrophic )?error[^:]*: (?P<text>.*)$",
    re.MULTILINE,
)
_TORCH_WORDS = re.compile(
    r"\b(at|torch|c10|caffe2|pybind11|py|csm|csm_light)::|\bcsm_|\b(Tensor|ArrayRef|TensorOptions|IntArrayRef|ScalarType|module_)\b"
    r"|\"(at|torch|c10|pybind11|py|std)\b|[‘'](at|torch|c10|pybind11|py)\b|\b(TORCH|AT|C10|PYBIND11)_\w+"
    r"|\b(torch|ATen|c10|caffe2|pybind11)/\S+\.h\b|\bPython\.h\b"
)
_OWN = re.compile(r"(.*/)?(cuda\.cu|main\.cpp)$|\w+_sources\[\d+\]$")  # by torch's names or the emulator's


def not_the_users(log: str) -> str:
    """Why the log's first error proves nothing of the source, or empty when it does.

    An error is the source's own when it stands in the source and neither it nor its explanation speaks of torch: such an
    error does not depend on which headers were read. A log without an error in a known form proves nothing.
    """
    found = list(_ERROR.finditer(log))
    if not found:
        return (
            ""
            if re.search(
                r"^(ptxas|nvlink|nvcc|cc1plus|collect2|c\+\+|g\+\+)\b.*\b(error|fatal)", log, re.MULTILINE
            )
            else "the compiler's words are not understood"
        )
    first = found[0]
    block = log[first.start() : found[1].start() if len(found) > 1 else len(log)]
    if not _OWN.match(first["file"]):
        return f"an error in {first['file'].rsplit('/', 1)[-1]}: {first['text']}"
    if _TORCH_WORDS.search(block):
        return f"the light headers may lack something: {first['text']}"
    return ""
