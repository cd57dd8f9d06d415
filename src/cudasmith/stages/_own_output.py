"""cudasmith's own output given back to it: what `build` and `explain` print, as text or as JSON."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from cudasmith.diagnoses._diagnosis import all_diagnoses
from cudasmith.diagnoses._frames import line_span
from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding

_HEAD = re.compile(r"^(?:error|warning|info)\[(?P<code>DG\d{3})\] (?P<message>.*)$")
_PLACE = re.compile(r"^  --> (?P<file>.*?)(?::(?P<line>\d+):\d+)?$")
_NOTE = re.compile(r"^  note: (?P<text>.*)$")
_HELP = re.compile(r"^  help: (?P<text>.*)$")


def raw_log(text: str) -> str:
    """What the tools had written, where that can be had: the logs in JSON of `build`, the lines of an unknown failure."""
    if text.lstrip().startswith("{") and '"builds"' in text:
        try:
            files = json.loads(text)["files"]
            return "\n".join(str(build["log"]) for file in files for build in file["builds"])
        except (ValueError, KeyError, TypeError):
            return text
    lines = text.splitlines()
    if any((m := _HEAD.match(line)) and m["code"] == "DG000" for line in lines):
        notes = [m["text"] for line in lines if (m := _NOTE.match(line))]
        return "\n".join(notes) if notes else text
    return text


def told(text: str, candidate: Candidate | None) -> list[Finding]:
    """The findings that the text tells, in its order; empty where it is not cudasmith's."""
    if "[DG" not in text:
        return []
    known = {d.code: d for d in all_diagnoses()}
    lines = text.splitlines()
    heads = [(at, m) for at, line in enumerate(lines) if (m := _HEAD.match(line)) and m["code"] in known]
    ends = [*(at for at, _ in heads), len(lines)][1:]
    found = []
    for (at, head), end in zip(heads, ends, strict=True):
        block = lines[at + 1 : end]
        place = next((m for line in block if (m := _PLACE.match(line))), None)
        help = next((m["text"] for line in block if (m := _HELP.match(line))), "")
        notes = [m["text"] for line in block if (m := _NOTE.match(line))]
        span = None
        if place is not None and place["line"]:
            if candidate is not None and PurePath(place["file"]).name == PurePath(candidate.path).name:
                span = line_span(candidate, int(place["line"]))
            else:
                notes.insert(0, f"at {place['file']}:{place['line']}")
        severity = known[head["code"]].severity
        found.append(
            Finding(head["code"], severity, head["message"], span=span, notes=tuple(notes), help=help)
        )
    return found
