"""What check says as SARIF 2.1.0, the form that code hosts and editors read."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from cudasmith.model.checked import CheckedFile, UnreadFile, Verdict
from cudasmith.model.finding import Fix, Span
from cudasmith.model.undecided import Undecided
from cudasmith.report.explain import first_sentence, manual
from cudasmith.rules._rule import Rule, all_rules

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def check_sarif(files: Sequence[CheckedFile | UnreadFile], version: str) -> str:
    """One log of one run. Undecided records are results of kind `open`; what is set aside is suppressed."""
    rules = all_rules()
    checked = [f for f in files if isinstance(f, CheckedFile)]
    unread = [f for f in files if isinstance(f, UnreadFile)]
    driver = {"name": "cudasmith", "version": version, "rules": [_rule(r) for r in rules]}
    index = {r.code: i for i, r in enumerate(rules)}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": not unread, "toolExecutionNotifications": [_unread(f) for f in unread]}
        ],
        "artifacts": [{"location": {"uri": uri(f.candidate.path)}} for f in checked],
        "results": [r for f in checked for r in _results(f, index)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def uri(path: str) -> str:
    """A relative path as a relative reference, an absolute one as a file URI."""
    pure = PurePath(path)
    quoted = quote(os.fsencode(pure.as_posix()))  # a name may hold bytes that are no UTF-8
    return f"file://{quoted}" if pure.is_absolute() else quoted


def _rule(rule: Rule) -> dict[str, Any]:
    text = manual(rule)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": first_sentence(rule)},
        "fullDescription": {"text": text},
        "help": {"text": text},
        "defaultConfiguration": {"level": _LEVELS[rule.severity["strict"]]},
    }


def _results(file: CheckedFile, index: dict[str, int]) -> list[dict[str, Any]]:
    shown = [_result(file, v, index) for v in file.shown]
    aside = [(v, "inSource") for v in file.ignored] + [(v, "external") for v in file.known]
    return shown + [{**_result(file, v, index), "suppressions": [{"kind": kind}]} for v, kind in aside]


def _result(file: CheckedFile, verdict: Verdict, index: dict[str, int]) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(file.candidate.path)}}
    if verdict.span is not None:
        place["region"] = region(verdict.span)
    result: dict[str, Any] = {
        "ruleId": verdict.code,
        "ruleIndex": index[verdict.code],
        "message": {"text": _message(verdict)},
        "locations": [{"physicalLocation": place}],
    }
    if isinstance(verdict, Undecided):
        return {**result, "kind": "open", "level": "none"}
    result["level"] = _LEVELS[verdict.severity]
    if verdict.fix is not None:
        result["fixes"] = [_fix(file.candidate.path, verdict.fix, verdict.help)]
    return result


def _message(verdict: Verdict) -> str:
    if isinstance(verdict, Undecided):
        return f"undecided: {verdict.reason}"
    return "\n".join([verdict.message, *verdict.notes, *([verdict.help] if verdict.help else [])])


def region(span: Span) -> dict[str, int]:
    """Lines and columns from 1, the end column behind the last character, as here."""
    found = {"startLine": span.line, "startColumn": span.column}
    if span.end_line is not None:
        found["endLine"] = span.end_line
    if span.end_column is not None:
        found["endColumn"] = span.end_column
    return found


def _fix(path: str, fix: Fix, help: str | None) -> dict[str, Any]:
    span = fix.span
    deleted = Span(span.line, span.column, span.end_line or span.line, span.end_column or span.column)
    change = {"deletedRegion": region(deleted), "insertedContent": {"text": fix.text}}
    return {
        "description": {
            "text": help or ("safe fix" if fix.safe else "fix that may change what the file does")
        },
        "artifactChanges": [{"artifactLocation": {"uri": uri(path)}, "replacements": [change]}],
    }


def _unread(file: UnreadFile) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": {"uri": uri(file.path)}}}
    return {"level": "error", "message": {"text": file.error.message}, "locations": [place]}
