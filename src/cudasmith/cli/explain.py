"""cudasmith explain"""

from __future__ import annotations

import ast
import json
import os
import sys
import warnings
from pathlib import Path, PurePath

import click

from cudasmith.cli._json_errors import JsonErrors
from cudasmith.cli._stdin import stdin_bytes
from cudasmith.model import Candidate, CudasmithError, Finding, ProblemError
from cudasmith.report import explain as pages
from cudasmith.report.diagnosis_text import UNKNOWN, diagnosis_dict, render_diagnosis
from cudasmith.stages.diagnose import diagnose
from cudasmith.stages.read import file_text

FORM = "a log is the text that a failed build or run has written"
CANDIDATE = "--file takes the Python file that was built or run"

_HEAD = 400  # bytes that show whether each second one is zero


@click.command(cls=JsonErrors)
@click.argument("what", required=False, metavar="[CODE|NAME|TEXT]")
@click.option("--log", metavar="FILE", help="Diagnose the log of a failed build or run; `-` reads stdin.")
@click.option("--file", "candidate_file", metavar="FILE.py", help="The Python file that gave the log.")
@click.option(
    "--returncode", type=int, metavar="N", help="How the process ended (-11 and 139: by signal 11)."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def explain(
    what: str | None, log: str | None, candidate_file: str | None, returncode: int | None, as_json: bool
) -> int:
    """The manual page of a rule (CS101) or a diagnosis (DG401), or what a failure's text means.

    \b
    cudasmith explain CS101              the page
    cudasmith explain "undefined symbol: _Z4reluf"
    cudasmith explain --log build.txt --file model_new.py
    cudasmith explain                    all rules and diagnoses

    Exit codes: 0 a page, or a diagnosis was found; 1 no diagnosis knows the failure; 2 wrong usage, or no such
    code or name; 3 no such file.
    """
    if what is not None and log is not None:
        raise click.UsageError("give a code, name or text, or --log, not both.")
    candidate = None if candidate_file is None else _candidate(candidate_file)
    if log is not None:
        name = "<stdin>" if log == "-" else log
        return _tell(_log_text(log, name, returncode), name, candidate, returncode, as_json)
    if what is not None and not what.strip():
        raise CudasmithError("CSP075", "the text is empty", help=f"{FORM}; `cudasmith explain` lists codes")
    if what is not None and _is_failure(what, candidate, returncode):
        return _tell(what, "<text>", candidate, returncode, as_json)
    if what is None and returncode is not None:
        return _tell("", f"returncode {returncode}", candidate, returncode, as_json)
    if candidate is not None or returncode is not None:
        raise click.UsageError("--file and --returncode belong to --log or to the text of an error.")
    text = pages.explain(what) if what else pages.index()
    click.echo(json.dumps({"code": what, "text": text}) if as_json else text, nl=as_json)
    return 0


def _is_failure(what: str, candidate: Candidate | None, returncode: int | None) -> bool:
    """No code and no name, but the text of an error; a single word only when it is one that a diagnosis knows."""
    if not what.strip() or pages.find(what) is not None:
        return False
    if any(c.isspace() or c == ":" for c in what.strip()):
        return True
    return diagnose(what, candidate, returncode)[0].code != UNKNOWN


def _tell(text: str, name: str, candidate: Candidate | None, returncode: int | None, as_json: bool) -> int:
    findings = diagnose(text, candidate, returncode)
    known = findings[0].code != UNKNOWN
    if as_json:
        click.echo(_as_json(findings, candidate, known))
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        click.echo(render_diagnosis(findings, candidate, name, colour=colour), color=colour)
    return 0 if known else 1


def _as_json(findings: list[Finding], candidate: Candidate | None, known: bool) -> str:
    listed = [diagnosis_dict(f, candidate) for f in findings]
    return json.dumps(
        {"known": known, "file": candidate.path if candidate else None, "findings": listed}, indent=2
    )


def _log_text(log: str, name: str, returncode: int | None) -> str:
    """A log may hold bytes that are no text, and may be empty where `returncode` says how the process ended.

    Raises: ProblemError when it cannot be read, or is no log.
    """
    data = stdin_bytes() if log == "-" else _bytes_of(log)
    text = decoded(data)
    if not text.strip() and returncode is None:
        help = f"{FORM}, stderr too (2>&1); of a process that wrote nothing give --returncode"
        raise ProblemError("CSP075", "the log is empty", where=name, help=help)
    if _is_binary(text):
        raise ProblemError("CSP076", "this is a binary file, no log", where=name, help=FORM)
    if _is_python(text, log):
        help = f"{FORM}; the file that was built is given with --file {name}"
        raise ProblemError("CSP077", "this is a Python file, no log", where=name, help=help)
    return text


_LARGEST_FILE = 1_000_000  # characters of what may be taken for a Python file


def _is_binary(text: str) -> bool:
    """One in ten characters is no text. Logs hold some: colours, bells, bytes of a broken string."""
    head = text[:_HEAD]
    odd = sum(not (c.isprintable() or c.isspace() or c in "\x1b\b\a") or c == "\ufffd" for c in head)
    return odd > len(head) // 10


def _is_python(text: str, name: str) -> bool:
    """A file named so, or a text that is nothing but Python with an import or a definition."""
    if PurePath(name).suffix == ".py":
        return True
    if len(text) > _LARGEST_FILE:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    return any(isinstance(statement, kinds) for statement in body)


def _bytes_of(name: str) -> bytes:
    """Raises: ProblemError when it cannot be read."""
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise ProblemError("CSP001", "there is no such file", where=name, help=FORM, exit_code=3) from None
    except IsADirectoryError:
        raise ProblemError("CSP002", "this is a directory", where=name or ".", help=FORM) from None
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror}"
        raise ProblemError("CSP009", reason, where=name, help=FORM, exit_code=3) from None


def decoded(data: bytes) -> str:
    """The text of a log: UTF-8, or UTF-16 as PowerShell redirects it, with or without its mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    head = data[:_HEAD]
    if head[1::2].count(0) > len(head) // 4 and not head[::2].count(0):
        return data.decode("utf-16-le", "replace")
    return data.decode("utf-8-sig", "replace")


def _candidate(name: str) -> Candidate:
    """Raises: ProblemError, in the words of `port`."""
    text = file_text(Path(name), name, form=CANDIDATE)
    return Candidate(text.replace("\r\n", "\n").replace("\r", "\n"), name)
