"""What check says, as JSON and as annotations of GitHub. docs/report-schema.md documents the JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cudasmith.model.checked import CheckedFile, ChecklistPoint, UnreadFile
from cudasmith.model.finding import Finding
from cudasmith.model.undecided import Undecided
from cudasmith.report.as_json import error_dict, finding_dict, undecided_dict

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def check_json(files: Sequence[CheckedFile | UnreadFile]) -> str:
    """One document. `mode` is null where files have different ones."""
    modes = {f.mode for f in files if isinstance(f, CheckedFile)}
    mode = modes.pop() if len(modes) == 1 else None
    return json.dumps({"mode": mode, "files": [_file(f) for f in files]}, indent=2)


def _file(file: CheckedFile | UnreadFile) -> dict[str, Any]:
    if isinstance(file, UnreadFile):
        return {"path": file.path, "status": "unread", "error": error_dict(file.error)}
    page: dict[str, Any] = {
        "path": file.candidate.path,
        "sha256": file.candidate.sha256,
        "mode": file.mode,
        "status": file.status,
        "findings": [finding_dict(f) for f in file.findings],
        "undecided": [undecided_dict(u) for u in file.undecided],
        "ignored": [_brief(v) for v in file.ignored],
        "known": [_brief(v) for v in file.known],
        "fixed": [_brief(f) for f in file.fixed],
    }
    return page | {"checklist": [_point(p) for p in file.checklist]} if file.checklist else page


def _brief(verdict: Finding | Undecided) -> dict[str, Any]:
    return {
        "code": verdict.code,
        "line": verdict.span.line if verdict.span else None,
        "message": _text(verdict),
    }


def _text(verdict: Finding | Undecided) -> str:
    return verdict.message if isinstance(verdict, Finding) else f"undecided: {verdict.reason}"


def _point(point: ChecklistPoint) -> dict[str, Any]:
    return {
        "point": point.key,
        "text": point.text,
        "answer": point.answer.replace(" ", "_"),
        "rules": list(point.rules),
        "why": point.why or None,
    }


def github_annotations(files: Sequence[CheckedFile | UnreadFile]) -> str:
    """One workflow command a line, for each finding, undecided record and unread file."""
    lines = []
    for file in files:
        if isinstance(file, UnreadFile):
            lines.append(_command("error", {"file": file.path, "title": file.error.code}, file.error.message))
            continue
        for verdict in file.shown:
            level = _LEVELS[verdict.severity] if isinstance(verdict, Finding) else "warning"
            help = verdict.help if isinstance(verdict, Finding) else None
            text = _text(verdict) + (f"\n{help}" if help else "")
            lines.append(_command(level, _place(file.candidate.path, verdict), text))
    return "\n".join(lines)


def _place(path: str, verdict: Finding | Undecided) -> dict[str, object]:
    span = verdict.span
    where: dict[str, object] = {"file": path, "title": verdict.code}
    if span is None:
        return where
    ends = {} if span.end_line is None else {"endLine": span.end_line}
    if span.end_column is not None and span.end_line in (
        None,
        span.line,
    ):  # GitHub takes columns of one line only
        ends["endColumn"] = span.end_column
    return {**where, "line": span.line, "col": span.column, **ends}


def _command(level: str, properties: dict[str, Any], text: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{level} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
