"""The language server: one check for each change, fixes as code actions. Needs pygls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from cudasmith import __version__
from cudasmith.model import Candidate, CudasmithError, Finding, Span
from cudasmith.model.checked import Verdict
from cudasmith.source.document import Document
from cudasmith.stages._check.config import Configs
from cudasmith.stages._check.targets import is_candidate_text
from cudasmith.stages.check import CheckResult, check

_LEVELS = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}


def make_server() -> Any:
    """A server that is ready for `start_io`."""
    server = LanguageServer("cudasmith", __version__)

    def changed(params: Any) -> None:
        _publish(server, params.text_document.uri)

    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return _actions(server, params)

    for event in (lsp.TEXT_DOCUMENT_DID_OPEN, lsp.TEXT_DOCUMENT_DID_CHANGE, lsp.TEXT_DOCUMENT_DID_SAVE):
        server.feature(event)(changed)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)(actions)
    return server


def _publish(server: Any, uri: str) -> None:
    text = _text(server, uri)
    try:
        result = _checked(text, uri)
        verdicts: tuple[Verdict, ...] = (*result.findings, *result.undecided) if result else ()
        found = [_diagnostic(server, uri, text, verdict) for verdict in verdicts]
    except CudasmithError as error:  # of the configuration: told in the file that it is of
        message = f"{error.where}: {error.message}"
        found = [
            lsp.Diagnostic(_range(server, uri, text, None), message, source="cudasmith", code=error.code)
        ]
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found))


def _text(server: Any, uri: str) -> str:
    return Document.of(server.workspace.get_text_document(uri).source).text


def _checked(text: str, uri: str) -> CheckResult | None:
    """None for a file that is no candidate. Raises: CudasmithError for a wrong configuration."""
    if not is_candidate_text(text):
        return None
    path = Path(to_fs_path(uri) or "untitled.py")
    config = Configs().of(path.parent)
    if config.excludes(path):
        return None
    return check(Candidate(text, str(path)), config.mode or "strict", config.selection(path, None, None))


def _diagnostic(server: Any, uri: str, text: str, verdict: Verdict) -> lsp.Diagnostic:
    if isinstance(verdict, Finding):
        message = "\n".join([verdict.message, *verdict.notes, *([verdict.help] if verdict.help else [])])
        level = _LEVELS[verdict.severity]
    else:
        message, level = f"undecided: {verdict.reason}", lsp.DiagnosticSeverity.Warning
    where = _range(server, uri, text, verdict.span)
    return lsp.Diagnostic(where, message, severity=level, code=verdict.code, source="cudasmith")


def _range(server: Any, uri: str, text: str, span: Span | None) -> lsp.Range:
    """From code points, counted from 1, to the units that the editor counts, from 0. No span: the first line."""
    lines = text.split("\n")
    start = lsp.Position(span.line - 1, span.column - 1) if span else lsp.Position(0, 0)
    end = start
    if span is None or span.end_column is None:
        end = lsp.Position(start.line, len(lines[start.line]) if start.line < len(lines) else 0)
    else:
        end = lsp.Position((span.end_line or span.line) - 1, span.end_column - 1)
    codec = server.workspace.get_text_document(uri).position_codec
    wanted: lsp.Range = codec.range_to_client_units(lines, lsp.Range(start, end))
    return wanted


def _actions(server: Any, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The fixes of findings that stand on a line of the asked range."""
    uri = params.text_document.uri
    text = _text(server, uri)
    try:
        result = _checked(text, uri)
    except CudasmithError:
        return []
    first, last = params.range.start.line + 1, params.range.end.line + 1
    found = [
        f for f in (result.findings if result else ()) if f.fix and f.span and first <= f.span.line <= last
    ]
    return [_action(server, uri, text, finding) for finding in found]


def _action(server: Any, uri: str, text: str, finding: Finding) -> lsp.CodeAction:
    assert finding.fix is not None
    span = finding.fix.span
    place = Span(span.line, span.column, span.end_line or span.line, span.end_column or span.column)
    edit = lsp.TextEdit(_range(server, uri, text, place), finding.fix.text)
    doubt = "" if finding.fix.safe else " (may change what the file does)"
    return lsp.CodeAction(
        f"{finding.code}: {finding.help or 'fix'}{doubt}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(server, uri, text, finding)],
        is_preferred=finding.fix.safe,
        edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
    )
