"""DG122."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._python import call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span

_ARGUMENTS = ("extra_cflags", "extra_cuda_cflags", "extra_ldflags", "extra_include_paths")
# A text is taken for a list of its characters: `-O3` arrives as three options.
_SPREAD = re.compile(
    r"^(?:\[\d+/\d+\] |RuntimeError: Error building extension .*)?.*-DTORCH_EXTENSION_NAME=.* - [A-Za-z0-9](?: |$)"
)
_LDFLAGS = r"^'str' object has no attribute 'append'"
_JOINED = r"^can only concatenate (?:list \(not \"str\"\) to list|str \(not \"list\"\) to str)"


class FlagsAsText(Diagnosis):
    """Flags were given to load_inline as one text, where it takes a list of texts.

    Python then walks the text letter by letter: "-O3" reaches the compiler as the three options `-`, `O` and `3`, and
    the compiler complains of files that nobody named. With extra_ldflags torch itself fails.

    Write a list with one text for each flag: extra_cuda_cflags=["-O3", "--use_fast_math"].
    """

    code = "DG122"
    name = "flags-as-text"
    CASES = (
        Case("cflags_string", line=18),
        Case("cuda_cflags_string", line=19),
        Case("ldflags_string", line=18),
        Case("cflags_text_no_headers", line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        raised = log.exception("AttributeError", _LDFLAGS) or log.exception("TypeError", _JOINED)
        found = log.find(_SPREAD)
        ours = raised is not None and any("cpp_extension" in x for x in log.lines[: raised[0].at])
        if found is None and not ours:
            return None
        at = raised[0].at if raised and ours else found[0] if found else 0
        span = user_frame(log, at, candidate)
        fix = _fix(candidate, span)
        return Hit(
            "flags are given as one text, and load_inline takes a list",
            at,
            'write a list with one text for each flag: ["-O3", "-lineinfo"]',
            span=fix.span if fix is not None else span,
            fix=fix,
        )


def _fix(candidate: Candidate | None, span: Span | None) -> Fix | None:
    found = call_at(candidate, span) if candidate and span else None
    if found is None:
        return None
    model, build = found
    for node in map(build.keywords.get, _ARGUMENTS):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.split():
            words = ", ".join(f'"{w}"' for w in node.value.split() if '"' not in w)
            return Fix(model.source.node_span(node), f"[{words}]")
    return None
