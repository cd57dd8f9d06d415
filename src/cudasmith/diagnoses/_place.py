"""The place in the Python file behind a place that a compiler named in a generated cuda.cu or main.cpp."""

from __future__ import annotations

import re
from pathlib import PurePath

import attrs

from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.regions import BuildCall, Region

# load_inline puts these lines in front of the user's text: three includes in cuda.cu, one in main.cpp.
IMPLICIT_LINES = {"cuda": 3, "cpp": 1}
_CARET = re.compile(r"^ *\^$")
_GXX_COLUMN = re.compile(r"^[^\s:][^:\n]*:\d+:(\d+): ")
_FAR = 6  # lines after the error within which cudafe++ repeats the source line
_WORD = re.compile(r"\w+")


@attrs.frozen(eq=False)
class Spot:
    """A line of a region, and where on it the compiler's caret stands. All are offsets into the region's text."""

    region: Region
    start: int
    end: int
    caret: int | None

    @property
    def text(self) -> str:
        return self.region.text[self.start : self.end]

    @property
    def line(self) -> Span | None:
        """The line without the white space around it."""
        first = self.start + len(self.text) - len(self.text.lstrip())
        return self.region.span(first, max(first, self.start + len(self.text.rstrip())))

    def earlier(self, line: int, own: int) -> Span | None:
        """Line `line` of the generated file, of which this is line `own`."""
        starts = [0, *(m.end() for m in re.finditer("\n", self.region.text))]
        at = starts.index(self.start) + line - own
        return self.region.span(starts[at], starts[at]) if 0 <= at < len(starts) else None

    def word_at_caret(self) -> Span | None:
        """The word at the caret."""
        m = _WORD.match(self.region.text, self.caret) if self.caret is not None else None
        return self.region.span(m.start(), m.end()) if m else None

    def word(self, word: str) -> Span | None:
        """The word at the caret, or where it stands alone on the line."""
        if self.caret is not None and (m := _WORD.match(self.region.text, self.caret)) and m[0] == word:
            return self.region.span(m.start(), m.end())
        found = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", self.text))
        if len(found) != 1:
            return None
        return self.region.span(self.start + found[0].start(), self.start + found[0].end())


def spot(log: Log, said: Said, candidate: Candidate | None) -> Spot | None:
    """Where an error of a compiler stands in the candidate; None where that is not certain."""
    if candidate is None or said.file is None or said.line is None:
        return None
    found = _line(parse_file(candidate), said.file, said.line)
    if found is None:
        return None
    region, start, end = found
    return Spot(region, start, end, _caret(log, said, region.text[start:end], start))


def python_place(model: FileModel, file: str, line: int) -> Span | None:
    """The line of the Python file behind a line of a generated cuda.cu or main.cpp; None where it is not certain."""
    found = _line(model, file, line)
    return None if found is None else Spot(*found, None).line


def _line(model: FileModel, file: str, line: int) -> tuple[Region, int, int] | None:
    path = PurePath(file)
    kind = {"cuda.cu": "cuda", "main.cpp": "cpp"}.get(path.name)
    call = _call_of(model, path) if kind else None
    region = None if call is None else call.cuda if kind == "cuda" else call.cpp
    if call is None or region is None or kind is None:
        return None
    own = line - (IMPLICIT_LINES[kind] if call.implicit_headers else 0)
    starts = [0, *(m.end() for m in re.finditer("\n", region.text))]
    if not 1 <= own <= len(starts):
        return None
    end = starts[own] - 1 if own < len(starts) else len(region.text)
    return region, starts[own - 1], end


def _call_of(model: FileModel, path: PurePath) -> BuildCall | None:
    """The load_inline call whose name is a folder of the path; the only call, where no name is known."""
    named = [
        b for b in model.builds if b.name is not None and re.sub(r"_v\d+$", "", path.parent.name) == b.name
    ]
    if len(named) == 1:
        return named[0]
    return model.builds[0] if len(model.builds) == 1 else None


def _caret(log: Log, said: Said, text: str, start: int) -> int | None:
    """cudafe++ repeats the line with macros expanded: what follows its caret is looked for in the real line."""
    if m := _GXX_COLUMN.match(log.lines[said.at]):
        return start + int(m[1]) - 1 if text.isascii() and "\t" not in text else None
    for at in range(said.at + 2, min(said.at + _FAR, len(log.lines))):
        if _CARET.match(log.lines[at]):
            tail = log.lines[at - 1][log.lines[at].index("^") :]
            return start + len(text) - len(tail) if tail and text.endswith(tail) else None
    return None
