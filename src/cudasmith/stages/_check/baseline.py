"""A baseline: the findings that a project had when it began to check, so that only new ones are told."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from cudasmith.model.candidate import Candidate
from cudasmith.model.errors import CudasmithError
from cudasmith.model.finding import Finding
from cudasmith.model.undecided import Undecided

VERSION = 1
Verdict = Finding | Undecided
Key = tuple[str, str, str, str]  # what it is, code, path, hash of the line: no line number, so lines may move


@attrs.frozen
class Known:
    """How many verdicts of each kind are recorded. Paths are told from `folder`, the baseline's own."""

    folder: str = ""
    counts: Mapping[Key, int] = attrs.field(factory=dict)

    def among(self, verdicts: Sequence[Verdict], candidate: Candidate) -> tuple[Verdict, ...]:
        """Those of one file that are recorded. Of several alike, as many as are recorded, from the top."""
        if not self.counts:
            return ()
        left = Counter(self.counts)
        found = []
        for verdict, key in _keyed(verdicts, candidate, self.folder):
            if left[key] > 0:
                left[key] -= 1
                found.append(verdict)
        return tuple(found)


NOTHING_KNOWN = Known()


def recorded(checked: Iterable[tuple[Candidate, Sequence[Verdict]]], path: Path) -> str:
    """The text of a baseline at `path` that holds all of these."""
    folder = str(path.resolve().parent)
    counts: Counter[Key] = Counter()
    for candidate, verdicts in checked:
        counts.update(key for _, key in _keyed(verdicts, candidate, folder))
    rows = [
        {"path": key[2], "code": key[1], "kind": key[0], "line_sha256": key[3], "count": count}
        for key, count in sorted(counts.items(), key=lambda item: (item[0][2], item[0]))
    ]
    return json.dumps({"version": VERSION, "findings": rows}, indent=1) + "\n"


def read_baseline(path: Path) -> Known:
    """Raises: CudasmithError CSP081 when there is no such file, or it is no baseline."""
    try:
        document = json.loads(path.read_text("utf-8"))
        rows = document["findings"]
        counts = {(r["kind"], r["code"], r["path"], r["line_sha256"]): int(r["count"]) for r in rows}
        if document["version"] != VERSION:
            raise ValueError(f"its version is {document['version']}")
    except OSError as error:
        help = "--write-baseline makes it"
        message = f"the baseline cannot be read: {error.strerror}"
        raise CudasmithError("CSP081", message, where=str(path), help=help, exit_code=3) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        help = "make it again with --write-baseline"
        told = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
        raise CudasmithError("CSP081", f"this is no baseline: {told}", where=str(path), help=help) from None
    return Known(str(path.resolve().parent), counts)


def _keyed(verdicts: Sequence[Verdict], candidate: Candidate, folder: str) -> list[tuple[Verdict, Key]]:
    lines = candidate.text.split("\n")
    path = _relative(candidate.path, folder)
    return [(v, (_kind(v), v.code, path, _line_hash(v, lines))) for v in verdicts]


def _kind(verdict: Verdict) -> str:
    return "finding" if isinstance(verdict, Finding) else "undecided"


def _line_hash(verdict: Verdict, lines: Sequence[str]) -> str:
    number = verdict.span.line if verdict.span else 0
    line = lines[number - 1].strip() if 1 <= number <= len(lines) else ""
    return hashlib.sha256(line.encode()).hexdigest()[:16]


def _relative(path: str, folder: str) -> str:
    try:
        return Path(os.path.relpath(Path(path).resolve(), folder)).as_posix()
    except ValueError:  # another drive
        return Path(path).as_posix()
