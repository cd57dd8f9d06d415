"""Where in a Python file something stands that the emulator found in the text it was given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs

from cudasmith.emulator import Detected, Place
from cudasmith.model import Candidate, Finding
from cudasmith.model.emulation import base_name
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.lines import line_bounds
from cudasmith.source.literals import MappedText
from cudasmith.source.regions import BuildCall, Region

_SOURCE = re.compile(r"(?P<keyword>(?P<kind>cpp|cuda)_sources)\[(?P<index>\d+)\]")
_ONLY = "cuda_sources[0]"
_WITH_LINES = ("EM201", "EM202", "EM205", "EM207", "EM111")


@attrs.frozen
class Loaded:
    """One call of load_inline: its texts by their label ("cuda_sources[0]") and the Python file it was made in."""

    sources: tuple[tuple[str, str], ...]
    file: str = ""
    line: int = 0

    def text(self, source: str) -> str | None:
        return dict(self.sources).get(source)


def loaded_from(arguments: dict[str, Any], file: str, line: int) -> Loaded:
    """The call as it was made. `arguments`: of load_inline, by name."""
    sources = []
    for keyword in ("cpp_sources", "cuda_sources"):
        given = arguments.get(keyword) or ()
        texts = [given] if isinstance(given, str) else list(given)
        sources += [(f"{keyword}[{i}]", text) for i, text in enumerate(texts) if isinstance(text, str)]
    return Loaded(tuple(sources), file, line)


def findings(
    detected: Sequence[Detected], candidate: Candidate, loaded: Sequence[Loaded] = ()
) -> list[Finding]:
    """What checked mode found, at the lines of the Python file where these are certain.

    `loaded`: the load_inline calls that ran; with them a text that is computed is found too, and is quoted where it does
    not stand in the file.
    """
    model = parse_file(candidate)
    return [_finding(one, model, owner(one, loaded)) for one in detected]


def owner(one: Detected, loaded: Sequence[Loaded]) -> Loaded | None:
    """The call whose text the place is in; None where that is not certain."""
    if not one.at.source:
        fitting = [c for c in loaded if _defines(dict(c.sources).values(), one.kernel)]
    else:
        fitting = [c for c in loaded if (t := c.text(one.at.source)) and t.count("\n") + 1 >= one.at.line]
        if len({c.sources for c in fitting}) > 1:
            fitting = [c for c in fitting if _defines(dict(c.sources).values(), one.kernel)]
    return fitting[0] if len({c.sources for c in fitting}) == 1 else None


def span_of(place: Place, model: FileModel, kernel: str = "", call: Loaded | None = None) -> Span | None:
    """The line of the Python file; None where it is not certain.

    With several load_inline calls it is the one in whose text the kernel is defined. `call` is the one that ran.
    """
    named = _SOURCE.fullmatch(place.source)
    if named is None:
        return None
    fitting = [b for b in model.builds if len(model.builds) == 1 or _defines(_texts(b), kernel)]
    item = _item(fitting[0], named["keyword"], int(named["index"])) if len(fitting) == 1 else None
    text = None if call is None else call.text(place.source)
    span = None
    if item is not None and (text is None or item.text == text):
        span = _line(item, place.line, model)
    return span or (None if text is None else _verbatim(text, place.line, model))


def _finding(one: Detected, model: FileModel, call: Loaded | None) -> Finding:
    span = span_of(one.at, model, one.kernel, call)
    if span is None and not one.at.source and one.at.line in (0, one.launch_line):
        span = _launch_span(one, model, call)  # of fast mode, and of a launch that was refused
    notes = []
    if one.kernel:
        notes.append(f"kernel {one.kernel}{_launched(one, model, call)}")
    if one.at.block is not None:
        notes.append(f"block {one.at.block}, thread {one.at.thread}")
    if span is None and one.at.line:
        notes.append(f"at {_quoted(one.at, call)}")
    if one.other is not None:
        notes.append(f"the other access: {_other(one, model, call)}")
    told = one.finding()
    message = told.message if span is None else _in_file(told.message, one, model, call)
    return attrs.evolve(told, message=message, span=span, notes=tuple(notes))


def _in_file(message: str, one: Detected, model: FileModel, call: Loaded | None) -> str:
    """A barrier's or warp operation's message names lines of the CUDA text: with those of the file."""
    if one.code not in _WITH_LINES:
        return message

    def mapped(found: re.Match[str]) -> str:
        span = span_of(Place(one.at.source, int(found[1])), model, one.kernel, call)
        return f"line {span.line}" if span else f"{found[0]} of the CUDA text"

    return re.sub(r"\bline (\d+)\b", mapped, message)


def _launched(one: Detected, model: FileModel, call: Loaded | None) -> str:
    if not one.launch_line:
        return ""
    span = _launch_span(one, model, call)
    return f", launched in {f'line {span.line}' if span else f'line {one.launch_line} of the CUDA text'}"


def _launch_span(one: Detected, model: FileModel, call: Loaded | None) -> Span | None:
    """Only a CUDA text that is alone tells which line is meant."""
    if not one.launch_line or call is None or call.text("cuda_sources[1]") is not None:
        return None
    return span_of(Place(_ONLY, one.launch_line), model, one.kernel, call)


def _other(one: Detected, model: FileModel, call: Loaded | None) -> str:
    assert one.other is not None
    place = one.other
    span = span_of(place, model, one.kernel, call)
    if span is None:
        return str(place)
    who = f", block {place.block}, thread {place.thread}" if place.block is not None else ""
    return f"line {span.line}{who}"


def _quoted(place: Place, call: Loaded | None) -> str:
    """The place in load_inline's argument with the words that stand there."""
    where = f"{place.source}:{place.line}" if place.source else f"line {place.line} of the CUDA text"
    text = None if call is None else call.text(place.source)
    lines = [] if text is None else text.split("\n")
    said = lines[place.line - 1].strip() if 1 <= place.line <= len(lines) else ""
    return f"{where}: {said}" if said else where


def _defines(texts: Any, kernel: str) -> bool:
    """Whether one of the texts holds the kernel's definition, or calls it where it is cuBLAS's, as far as words can tell."""
    name = base_name(kernel)
    if name.startswith("cublas"):
        return any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts)
    word = re.compile(rf"__global__[^;{{}}]*?\b{re.escape(name)}\s*\(", re.DOTALL)
    return bool(name) and any(word.search(text) for text in texts)


def _texts(build: BuildCall) -> list[str]:
    return [region.text for region in build.regions()]


def _item(build: BuildCall, keyword: str, index: int) -> MappedText | None:
    value = build.values.get(keyword)
    items = (value,) if isinstance(value, MappedText) else value
    if not isinstance(items, tuple) or index >= len(items):
        return None
    item = items[index]
    return item if isinstance(item, MappedText) else None


def _line(item: MappedText, line: int, model: FileModel) -> Span | None:
    bounds = line_bounds(item.text, line)
    return None if bounds is None else Region("cuda", item, model.source).span(*bounds)


def _verbatim(text: str, line: int, model: FileModel) -> Span | None:
    """The line where the whole text stands in the file as it is, once."""
    bounds = line_bounds(text, line)
    whole, file = text.strip(), model.source.text
    if bounds is None or not whole or file.count(whole) != 1:
        return None
    moved = file.index(whole) - text.index(whole)
    return model.source.span(bounds[0] + moved, bounds[1] + moved)
