"""DG142."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudasmith.cuda.tokens import tokenize
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region

_CODE = re.compile(r"[;{}]\s*$")
_UNLINKED = re.compile(r"undefined symbol")


class CommentWithoutNewline(Diagnosis):
    """A `//` comment, or an #include, stands in a string that ends without a newline, and the next string goes on in the
    same line of C++.

    Python joins adjacent strings as they are: "a // note " "b;" is one line, and to the compiler all of it behind the //
    is comment. What it then says is of the code that is gone: an open brace, an unknown name, a function that is missing.

    End each string with \\n, take one text in triple quotes, or write the comment as /* ... */.
    """

    code = "DG142"
    name = "comment-without-newline"
    hides = ("DG201", "DG204", "DG205", "DG210", "DG211", "DG212", "DG214", "DG215", "DG272", "DG401")
    CASES = (
        Case("comment_swallows_text", says="the comment", line=6),
        Case("comment_lines_joined", says="the comment", line=5),
        Case("include_swallows_text", says="#include", line=4),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        at = (
            log.said[0].at if log.said else next((r.at for r in log.raised if _UNLINKED.search(r.text)), None)
        )
        if at is None or candidate is None:
            return None
        builds = parse_file(candidate).builds
        for region in builds[0].regions() if len(builds) == 1 else ():
            for start, end in _swallowing(region):
                what = "this #include" if region.text[start] == "#" else "the comment"
                help = "end the string with \\n" + (
                    "" if what[-1] == "e" else ", or write the comment as /* ... */"
                )
                message = f"{what} goes on to the end of the text's line: the strings below it have no newline before them"
                return Hit(message, at, help, span=region.span(start, end))
        return None


def _swallowing(region: Region) -> Iterator[tuple[int, int]]:
    """Comments and includes, up to the end of their line in Python, behind which code of later lines stands in their line."""
    start = 0
    for line in region.text.split("\n"):
        begin = _begin(line)
        if begin is not None:
            pieces = _pieces(region, start + begin, start + len(line))
            if any(_CODE.search(piece) and not piece.lstrip().startswith("//") for piece in pieces[1:]):
                yield start + begin, start + begin + len(pieces[0].rstrip())
        start += len(line) + 1


def _begin(line: str) -> int | None:
    """Where a line's comment, or its #include, begins; a // in a text is none."""
    if re.match(r"\s*#\s*include\b", line):
        return len(line) - len(line.lstrip())
    strings = [(t.start, t.end) for t in tokenize(line) if t.kind == "string"]
    found = (m.start() for m in re.finditer("//", line))
    return next((at for at in found if not any(a <= at < b for a, b in strings)), None)


def _pieces(region: Region, start: int, end: int) -> list[str]:
    """The text between two offsets, cut where it comes from another line of the Python file."""
    found: list[str] = []
    last = None
    for i in range(start, end):
        place = region.line_column(i)
        if place is None:
            return [region.text[start:end]]
        if place[0] != last:
            found.append("")
            last = place[0]
        found[-1] += region.text[i]
    return found
