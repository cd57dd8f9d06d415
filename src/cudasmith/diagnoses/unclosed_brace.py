"""DG204."""

from __future__ import annotations

import re

from cudasmith.diagnoses._braces import brace_fault
from cudasmith.diagnoses._compile import Q, detail, own_file
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import generated_line
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_SAID = re.compile(rf'expected a "}}"|expected {Q}}}{Q} at end of input')
_NOTE = r"^(?P<file>[^\s()][^()]*?)(?:\((?P<nvcc>\d+)\)|:(?P<gxx>\d+):\d+): note.*: to match this"


class UnclosedBrace(Diagnosis):
    """A `{` is never closed: the text ends while the compiler is still inside a function or block.

    Braces are paired from the inside out. When one `}` is left out, the next one closes the wrong block, and the function
    swallows what follows it. So a complaint about the following function usually comes first; the compiler's note names
    the `{` that remained open at the end, often the start of the function.

    Close the block. In the function named here, match each `{` with its `}`, beginning with the innermost; indentation
    shows most often which one is missing.
    """

    code = "DG204"
    name = "unclosed-brace"
    proves = True
    hides = ("DG201", "DG211")
    CASES = (
        Case("odd_inner_loop_open", says="{", line=10),
        Case("odd_brace_else", says="{", line=9),
        Case("odd_brace_for", says="{", line=7),
        Case("missing_brace", says='"{"', line=7),
        Case("missing_brace_at_end", says='"{"', line=5),
        Case("gxx_missing_brace", says='"{"', line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        for said in log.said:
            if said.tool not in ("nvcc", "g++") or not _SAID.match(said.text) or not own_file(said):
                continue
            if any(re.match("missing (?:closing quote|terminating)|unterminated", s.text) for s in log.said):
                return None
            note = detail(log, said, _NOTE)
            file, line = (note["file"], int(note["nvcc"] or note["gxx"])) if note else (said.file, said.line)
            first = next(s.at for s in log.said if s.tool == said.tool)
            help = 'write the missing "}"; indentation shows most often which block lacks it'
            span = _by_indentation(candidate, file, line)
            return Hit('this "{" is never closed', first, help, file, line, span)
        return None


def _by_indentation(candidate: Candidate | None, file: str | None, line: int | None) -> Span | None:
    """The line of the block that indentation shows as open; None where it shows none."""
    place = generated_line(candidate, file, line)
    fault = brace_fault(place.region.text) if place is not None else None
    if place is None or fault is None or fault.kind != "unclosed":
        return None
    text = place.region.text
    start = text.rfind("\n", 0, fault.at) + 1
    first = start + len(text[start : fault.at]) - len(text[start : fault.at].lstrip())
    return place.region.span(first, fault.at + 1)
