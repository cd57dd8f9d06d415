"""The place in the Python file behind a place that a compiler named in a generated cuda.cu or main.cpp."""

from __future__ import annotations

import re
from pathlib import PurePath

import attrs

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.tokens import Token, matching, tokenize
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.regions import BuildCall, Region

# load_inline puts these lines in front of the user's text: three includes in cuda.cu, one in main.cpp.
IMPLICIT_LINES = {"cuda": 3, "cpp": 1}
_CARET = re.compile(r"^ *\^$")
_GXX_COLUMN = re.compile(r"^[^\s:][^:\n]*:\d+:(\d+): ")
_FEW = 2  # words of a line that tell it from others
_FAR = 6  # lines after the error within which cudafe++ repeats the source line
_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"(\w+)\s*$")
_MODULE_HEAD = 1  # line that load_inline writes before its bindings
_ENOUGH = 12  # tokens that tell a place in a macro's arguments from others


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

    def expression_at_caret(self) -> Span | None:
        """What the caret points at: a name with the brackets and members behind it on the line, else one token."""
        tokens = self._from_caret()
        if not tokens:
            return None
        end = 0
        while tokens[0].kind == "name" and end + 1 < len(tokens):
            if tokens[end + 1].text in ("(", "["):
                close = matching(tokens, end + 1)
                if close is None or close >= len(tokens):
                    break
                end = close
            elif tokens[end + 1].text in (".", "->", "::") and tokens[end + 2 : end + 3]:
                end += 2
            else:
                break
        start = self.caret or 0
        return self.region.span(start, start + tokens[end].end)

    def called_at_caret(self) -> Span | None:
        """The name of the function of the call that a caret points at: at its name or at one of its brackets."""
        tokens = self._from_caret()
        if not tokens or self.caret is None:
            return None
        if tokens[0].kind == "name":
            return self.word_at_caret()
        before = self.region.text[self.start : self.caret]
        depth = 0
        while before and tokens[0].text == ")":  # nvcc points at the end of the call
            depth += (before[-1] == ")") - (before[-1] == "(")
            if depth < 0:
                break
            before = before[:-1]
        before = before.removesuffix("(") if tokens[0].text == ")" else before
        m = _LAST_WORD.search(before) if tokens[0].text in ("(", ")") else None
        return self.region.span(self.start + m.start(), self.start + m.end(1)) if m else None

    def _from_caret(self) -> list[Token]:
        """The tokens of the line from the caret on, with offsets from there; none where the caret stands at nothing."""
        tokens = tokenize(self.region.text[self.caret : self.end]) if self.caret is not None else []
        return tokens if tokens and tokens[0].start == 0 else []

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
    caret = None if said.moved else _caret(log, said, region.text[start:end], start)
    if caret is None and not said.moved and (inside := _in_macro(log, said, region.text, start, end)):
        start = region.text.rfind("\n", 0, inside) + 1
        end = region.text.find("\n", inside) if "\n" in region.text[inside:] else len(region.text)
        caret = inside
    return Spot(region, start, end, caret)


def _in_macro(log: Log, said: Said, text: str, start: int, end: int) -> int | None:
    """An error inside the arguments of a macro that go over several lines, all of which cudafe++ has at the first.

    The tokens behind its caret, in the macro's expansion, are looked for in the arguments. None unless there is one place.
    """
    macro = re.search(r"\b[A-Z][A-Z0-9_]{3,}\s*(?=\()", text[start:end])
    if macro is None or text[start:end].count("(") <= text[start:end].count(")"):
        return None
    inside = tokenize(text[start + macro.start() :])
    words = [t.text for t in inside[: matching(inside, 1)]]
    wanted = [t.text for t in tokenize(_tail(log, said))][:_ENOUGH]
    for count in range(len(wanted), 1, -1):
        places = [i for i in range(len(words)) if words[i : i + count] == wanted[:count]]
        if places:
            return start + macro.start() + inside[places[0]].start if len(places) == 1 else None
    return None


def _tail(log: Log, said: Said) -> str:
    """The line that cudafe++ repeats, from its caret on."""
    for at in range(said.at + 2, min(said.at + _FAR, len(log.lines))):
        if _CARET.match(log.lines[at]):
            return log.lines[at - 1][log.lines[at].index("^") :]
    return ""


def function_span(region: Region, name: str) -> Span | None:
    """The name in the one definition of a function in a source."""
    found = [
        f for f in symbols(region.text).functions if f.is_definition and f.name.rpartition("::")[2] == name
    ]
    return (
        region.span(found[0].name_start, found[0].name_start + len(found[0].name))
        if len(found) == 1
        else None
    )


def variable_span(region: Region, name: str) -> Span | None:
    """The name in the one declaration of a variable at the left edge of a source, outside of functions."""
    pattern = rf"^(?:[\w:]+(?:<[^<>\n]*>)?[ \t*&]+)+(?P<name>{re.escape(name)})\s*[=;\[{{]"
    found = list(re.finditer(pattern, region.text, re.MULTILINE))
    return region.span(*found[0].span("name")) if len(found) == 1 else None


def end_before(log: Log, said: Said, candidate: Candidate | None) -> tuple[Region, int] | None:
    """Where the token before an error ends, if that is on an earlier line: what is missing there is noticed only later.

    Behind the user's text load_inline writes its own: an error there belongs to the user's last token.
    """
    if candidate is None or said.file is None or said.line is None:
        return None
    place = spot(log, said, candidate)
    if place is not None:
        stop = place.caret if place.caret is not None else place.start
        if re.sub(r"__\w+__", "", place.region.text[place.start : stop]).strip():
            return None
        region, first = place.region, place.start
    else:
        behind = _region(parse_file(candidate), said.file)
        if behind is None or said.line <= behind[1] + behind[0].text.count("\n") + 1:
            return None
        region, first = behind[0], len(behind[0].text)
    before = [t for t in tokenize(region.text) if t.end <= first]
    return (region, before[-1].end) if before else None


def hit_line(
    log: Log, at: int, file: str | None, line: int | None, candidate: Candidate | None
) -> Span | None:
    """The line of the Python file for a place in a generated file, which the error at line `at` of the log may make exact."""
    if candidate is None or file is None or line is None:
        return None
    said = log.at(at)
    place = (
        spot(log, said, candidate) if said is not None and (said.file, said.line) == (file, line) else None
    )
    model = parse_file(candidate)
    return place.line if place is not None else python_place(model, file, line) or _bound(model, file, line)


def _bound(model: FileModel, file: str, line: int) -> Span | None:
    """The function whose binding load_inline wrote at a line behind the user's text: its definition, else its name."""
    found = _region(model, file)
    call = _call_of(model, PurePath(file))
    if found is None or call is None or not call.functions or PurePath(file).name != "main.cpp":
        return None
    region, before = found
    number = line - before - region.text.count("\n") - 1 - _MODULE_HEAD - 1
    if not 0 <= number < len(call.functions):
        return None
    name = call.functions[number]
    for function in symbols(region.text).functions:
        if function.name == name:
            return region.span(function.name_start, function.name_start + len(name))
    return call.keyword_span("functions", model.source)


def python_place(model: FileModel, file: str, line: int) -> Span | None:
    """The line of the Python file behind a line of a generated cuda.cu or main.cpp; None where it is not certain."""
    found = _line(model, file, line)
    return None if found is None else Spot(*found, None).line


def of_another_text(log: Log, at: int, candidate: Candidate | None) -> bool:
    """Whether the error at line `at` of the log quotes a source line that is not the file's line of that number.

    cudafe++ quotes a line with its macros expanded: there only a line without macros and with other words is another.
    """
    said = log.at(at)
    place = spot(log, said, candidate) if said is not None and not said.moved else None
    if said is None or place is None:
        return False
    own = _WORD.findall(place.region.text[place.start : place.end])
    if _GXX_COLUMN.match(log.lines[at]):
        shown = re.match(r"^ *\d+ \| (?P<source>.*)$", log.lines[at + 1]) if at + 1 < len(log.lines) else None
        quoted = _WORD.findall(shown["source"]) if shown else own
        return quoted != own
    quoted_line = next(
        (
            log.lines[i - 1]
            for i in range(at + 2, min(at + _FAR, len(log.lines)))
            if _CARET.match(log.lines[i]) and place.caret is None
        ),
        "",
    )
    plain = [w for w in own if not re.fullmatch(r"[A-Z_][A-Z0-9_]+|__\w+__", w)]
    quoted = _WORD.findall(quoted_line)
    if len(plain) < len(own) or len(own) < _FEW or len(quoted) < _FEW:
        return False
    return 2 * sum(w in quoted for w in own) < len(own)


def generated_line(candidate: Candidate | None, file: str | None, line: int | None) -> Spot | None:
    """A line of a generated file in the candidate's text."""
    if candidate is None or file is None or line is None:
        return None
    found = _line(parse_file(candidate), file, line)
    return Spot(*found, None) if found is not None else None


def _line(model: FileModel, file: str, line: int) -> tuple[Region, int, int] | None:
    found = _region(model, file)
    if found is None:
        return None
    region, before = found
    own = line - before
    starts = [0, *(m.end() for m in re.finditer("\n", region.text))]
    if not 1 <= own <= len(starts):
        return None
    end = starts[own] - 1 if own < len(starts) else len(region.text)
    return region, starts[own - 1], end


def _region(model: FileModel, file: str) -> tuple[Region, int] | None:
    """The region behind a generated file, and the number of lines that load_inline wrote before it."""
    path = PurePath(file)
    kind = {"cuda.cu": "cuda", "main.cpp": "cpp"}.get(path.name)
    call = _call_of(model, path) if kind else None
    region = None if call is None else call.cuda if kind == "cuda" else call.cpp
    if call is None or region is None or kind is None:
        return None
    return region, IMPLICIT_LINES[kind] if call.implicit_headers else 0


def _call_of(model: FileModel, path: PurePath) -> BuildCall | None:
    """The load_inline call whose name is a folder of the path; the only call, where no name is known.

    Of calls of one name, NAME_v0 is the first, NAME_v1 the second.
    """
    folder, _, number = path.parent.name.rpartition("_v")
    numbered = [b for b in model.builds if b.name is not None and b.name == folder]
    named = [b for b in model.builds if b.name is not None and b.name == path.parent.name]
    if len(named) == 1:
        return named[0]
    if number.isdigit() and numbered:
        return numbered[min(int(number), len(numbered) - 1)]
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
