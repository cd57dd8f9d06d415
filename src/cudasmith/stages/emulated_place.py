"""Where in the candidate's Python file something stands that the emulator found in the text it was given."""

from __future__ import annotations

import re

import attrs

from cudasmith.emulator import Detected, Place
from cudasmith.model import Candidate, Finding
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.literals import MappedText
from cudasmith.source.regions import Region

_SOURCE = re.compile(r"(?P<keyword>(?P<kind>cpp|cuda)_sources)\[(?P<index>\d+)\]")


def findings(detected: list[Detected], candidate: Candidate) -> list[Finding]:
    """What checked mode found, at the lines of the Python file where these are certain."""
    model = parse_file(candidate)
    return [attrs.evolve(one.finding(), span=span_of(one.at, model)) for one in detected]


def span_of(place: Place, model: FileModel) -> Span | None:
    """The line of the Python file; None where the text is computed or the file has several load_inline calls."""
    named = _SOURCE.fullmatch(place.source)
    if named is None or len(model.builds) != 1:
        return None
    value = model.builds[0].values.get(named["keyword"])
    items = (value,) if isinstance(value, MappedText) else value
    if not isinstance(items, tuple) or int(named["index"]) >= len(items):
        return None
    item = items[int(named["index"])]
    return _line(item, place.line, model) if isinstance(item, MappedText) else None


def _line(item: MappedText, line: int, model: FileModel) -> Span | None:
    lines = item.text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    text = lines[line - 1]
    start = sum(len(before) + 1 for before in lines[: line - 1]) + len(text) - len(text.lstrip())
    return Region("cuda", item, model.source).span(start, start + len(text.strip()))
