"""diagnose: the text of a failed build or run in, findings out: what happened, why, what to do, at the user's line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

import attrs

from cudasmith.diagnoses._diagnosis import Diagnosis, Hit, all_diagnoses
from cudasmith.diagnoses._log import BARE, Log
from cudasmith.diagnoses._place import hit_line, of_another_text
from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding
from cudasmith.stages._long_log import NOTE, shortened
from cudasmith.stages._own_output import raw_log, told

UNKNOWN = "DG000"
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")  # colours that a compiler wrote for a terminal
_FAILS = re.compile(
    r"error|fail|fatal|abort|killed|signal|traceback|not found|cannot|undefined", re.IGNORECASE
)
_BUILT = re.compile(r"^\[(\d+)/\1\] |^ninja: no work to do|: built in [\d.]+ s|^Loading extension module ")
DECISIVE_LINES = 12  # shown of a log that no diagnosis knows


def diagnose(text: str, candidate: Candidate | None = None, returncode: int | None = None) -> list[Finding]:
    """What a failure's text says, the earliest cause first; never empty.

    `text`: everything that the build or the run has written. `candidate`: the Python file that was built or run; with it
    findings stand at its lines. `returncode`: of the process, negative for a signal. A text that no diagnosis knows
    gives one finding DG000 with its decisive lines. The text may be what cudasmith itself has printed of a failure.
    """
    short = shortened(text)
    found = _diagnosed(short, candidate, returncode)
    if short is text:
        return found
    note = NOTE.format(len(text) / 1e6)
    return [attrs.evolve(f, notes=(*f.notes, note)) for f in found]


def _diagnosed(text: str, candidate: Candidate | None, returncode: int | None) -> list[Finding]:
    plain = _ESCAPES.sub("", text)
    if ours := told(plain, candidate):
        return ours
    log = Log(raw_log(plain), returncode)
    hits = [(d, hit) for d in all_diagnoses() if (hit := d.match(log, candidate)) is not None]
    hidden = {code for d, _ in hits for code in d.hides}
    known = [(d, hit) for d, hit in hits if d.code not in hidden]
    shown = sorted(_without_repeats(known), key=lambda p: (p[1].at, p[0].code))
    if not shown:
        return [_unknown(log)]
    return [_finding(diagnosis, hit, log, candidate) for diagnosis, hit in shown]


def proven(found: list[Finding]) -> bool:
    """Whether the first finding shows the text itself to be wrong, whatever its headers declare."""
    return (
        any(d.code == found[0].code and d.proves for d in all_diagnoses()) and found[0].confidence == "high"
    )


def _without_repeats(hits: list[tuple[Diagnosis, Hit]]) -> Iterator[tuple[Diagnosis, Hit]]:
    """Without general explanations of a line that another diagnosis explains."""
    taken = {hit.at for diagnosis, hit in hits if not diagnosis.general}
    for diagnosis, hit in hits:
        if not diagnosis.general:
            yield diagnosis, hit
        elif hit.at not in taken:
            taken.add(hit.at)
            yield diagnosis, hit


def _finding(diagnosis: Diagnosis, hit: Hit, log: Log, candidate: Candidate | None) -> Finding:
    span = hit.span or hit_line(log, hit.at, hit.file, hit.line, candidate)
    if span is not None and of_another_text(log, hit.at, candidate):
        told = "the log quotes a line that this file does not have at that place: it seems to belong to another version"
        return Finding(
            diagnosis.code, diagnosis.severity, hit.message, confidence="low", notes=(told,), help=hit.help
        )
    where = f"{PurePath(hit.file).name}:{hit.line}" if hit.file and hit.line else None
    notes = hit.notes if span is not None or where is None else (f"the tool named {where}", *hit.notes)
    said = log.at(hit.at)
    if span is None and said is not None and said.tool in ("nvcc", "g++") and BARE.match(log.lines[hit.at]):
        notes = (*notes, "the text names no file and line: give the whole log with --log, and --file")
    return Finding(
        diagnosis.code,
        diagnosis.severity,
        hit.message,
        confidence=hit.confidence,
        span=span,
        notes=notes,
        help=hit.help,
        fix=hit.fix,
    )


def _unknown(log: Log) -> Finding:
    if log.returncode in (None, 0) and _succeeded(log):
        help = "give what the failed step has written: a later import or run has an output of its own"
        return Finding(UNKNOWN, "error", "this log tells of a build that succeeded", help=help)
    shown = decisive_lines(log)
    end = "" if log.returncode in (None, 0) else f"; the process ended with code {log.returncode}"
    return Finding(
        UNKNOWN,
        "error",
        f"no diagnosis knows this failure{end}",
        notes=tuple(shown) or ("the log is empty",),
        help="look at the lines above; report them together with the file, so that a diagnosis can be written",
    )


def _succeeded(log: Log) -> bool:
    """It ends with the last step of a build, and nothing in it failed."""
    if log.said or log.raised or _FAILS.search(log.text):
        return False
    return log.find(_BUILT) is not None


def decisive_lines(log: Log) -> list[str]:
    """The first error of a tool with what follows it, else the last exception, else the last lines."""
    lines = log.lines
    if log.said:
        start = log.said[0].at
    elif log.raised:
        start = log.raised[-1].at
    else:
        filled = [i for i, line in enumerate(lines) if line.strip()]
        start = filled[-DECISIVE_LINES:][0] if filled else 0
    return [line.rstrip() for line in lines[start : start + DECISIVE_LINES] if line.strip()]
