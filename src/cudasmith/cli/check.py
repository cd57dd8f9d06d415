"""cudasmith check"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs
import click

from cudasmith.cli._check_inputs import Input, inputs, read_candidate
from cudasmith.cli._json_errors import JsonErrors
from cudasmith.model import Candidate, Capture, CudasmithError, Finding
from cudasmith.model.checked import CheckedFile, UnreadFile
from cudasmith.report.errors import render_error
from cudasmith.report.findings_text import render_all, summary
from cudasmith.source.document import Document
from cudasmith.stages._check.baseline import NOTHING_KNOWN, Known, read_baseline, recorded
from cudasmith.stages._check.checklist import checklist
from cudasmith.stages._check.fixes import fixed
from cudasmith.stages._check.selection import EVERY_RULE, Selection, chosen, codes
from cudasmith.stages.check import MODES, CheckResult, Mode, internal_error
from cudasmith.stages.check import check as run_check

PROBLEM = "--problem takes the file with class Model and get_inputs()"
FORMATS = ("text", "json", "sarif", "github")
Checked = CheckedFile | UnreadFile
# Syntax trees are many small objects without cycles: looking for garbage among them costs a fifth of the time.
GC_THRESHOLD = 100_000


@click.command(cls=JsonErrors)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    help="strict: own kernels only. default: what is wrong. lenient: PyTorch operators allowed.  [strict]",
)
@click.option("--format", "form", type=click.Choice(FORMATS),
              help="sarif: SARIF 2.1.0. github: annotations of a workflow.  [text]")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--select", multiple=True, metavar="CODES", help="Ask these rules alone: CS4,CS203.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not ask these rules.")
@click.option("--fix", "mend", is_flag=True, help="Apply the safe fixes to the files; of stdin, to stdout.")
@click.option("--diff", is_flag=True, help="Print what --fix would change; write nothing.")
@click.option(
    "--unsafe", is_flag=True, help="With --fix or --diff: also fixes that may change what a file does."
)
@click.option("--problem", metavar="REF",
              help="The file with Model and get_inputs: launches are judged at its sizes.")  # fmt: skip
@click.option("--baseline", metavar="FILE", help="Tell only what is not recorded there.")
@click.option("--write-baseline", is_flag=True, help="Record what is found in the baseline.")
@click.option("--token-budget", type=click.IntRange(min=1), metavar="N",
              help="Note when a file has more than about N tokens.")  # fmt: skip
@click.option(
    "--checklist",
    "checklist_asked",
    is_flag=True,
    help="Answer the checklist of a finished file instead. The exit code is the same.",
)
@click.option(
    "--stdin-filename", metavar="NAME", help="What to call stdin (`-`), and where its configuration is."
)
@click.option("--only-candidates", is_flag=True,
              help="Pass over named files that a folder's search would pass over.")  # fmt: skip
def check(
    files: tuple[str, ...],
    mode: Mode | None,
    problem: str | None,
    form: str | None,
    as_json: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    mend: bool,
    diff: bool,
    unsafe: bool,
    baseline: str | None,
    write_baseline: bool,
    token_budget: int | None,
    checklist_asked: bool,
    stdin_filename: str | None,
    only_candidates: bool,
) -> int:
    """Check ModelNew files against the contract without running them. `-` reads stdin.

    A folder gives the Python files in it that define ModelNew or call load_inline. [tool.cudasmith] of the nearest
    pyproject.toml may set mode, select, ignore, exclude and per-file-ignores; options win.

    Exit codes: 0 nothing wrong, 1 an error was found or a rule of that weight could not decide, or --diff has
    something to change; 2 wrong usage or configuration, or a file that is no text or empty; 3 no such file;
    70 an internal error: a file was not checked.
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json is --format json: leave it or --format {form} out.")
    form = "json" if as_json else form or "text"
    _refuse_contradictions(form, mend, diff, unsafe, baseline, write_baseline, checklist_asked)
    request = Request(
        mode=mode,
        select=chosen(select, "--select") if select else None,
        ignore=codes(ignore, "--ignore") if ignore else None,
        mend="diff" if diff else "write" if mend else None,
        unsafe=unsafe,
        known=read_baseline(Path(baseline)) if baseline and not write_baseline else NOTHING_KNOWN,
        token_budget=token_budget,
        checklist=checklist_asked,
        sizes=None if problem is None else _sizes(problem),
    )
    gc.set_threshold(GC_THRESHOLD)
    given = inputs(files, stdin_filename, only_candidates=only_candidates)
    checked = [i if isinstance(i, UnreadFile) else _checked(i, request) for i in given]
    unread = [c.error for c in checked if isinstance(c, UnreadFile)]
    if unread and len(unread) == len(checked):
        for error in unread[1:]:
            click.echo(render_error(error), err=True)
        raise unread[0]
    if baseline and write_baseline:
        return _write_baseline(Path(baseline), checked)
    _show(checked, form, diff, to_stderr=diff or (mend and "-" in files))
    return _exit_code(checked, diff)


@attrs.frozen
class Request:
    """What the command line asks of every file; None leaves it to the project's configuration."""

    mode: Mode | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    mend: str | None = None  # "write" or "diff"
    unsafe: bool = False
    known: Known = NOTHING_KNOWN
    token_budget: int | None = None
    checklist: bool = False
    sizes: Capture | None = None


def _sizes(problem: str) -> Capture:
    from cudasmith.stages._check.sizes import sizes_of  # it imports what runs the reference

    return sizes_of(read_candidate(problem, PROBLEM))


def _refuse_contradictions(
    form: str, mend: bool, diff: bool, unsafe: bool, baseline: str | None, write: bool, checklist: bool
) -> None:
    if mend and diff:
        raise click.UsageError("--fix writes and --diff does not: give one of them.")
    if unsafe and not (mend or diff):
        raise click.UsageError("--unsafe belongs to --fix or --diff.")
    if write and not baseline:
        raise click.UsageError("--write-baseline needs --baseline FILE.")
    if diff and form != "text":
        raise click.UsageError("--diff has a form of its own: leave --format out.")
    if checklist and form not in ("text", "json"):
        raise click.UsageError("--checklist is text or JSON.")


def _checked(given: Input, request: Request) -> Checked:
    """One file; what goes wrong with it, also when its fixes are written, leaves the others alone."""
    try:
        return _checked_file(given, request)
    except CudasmithError as error:
        return UnreadFile(given.path, error)
    except Exception as error:  # noqa: BLE001 - our own fault with one file must not lose the others
        return UnreadFile(given.path, internal_error(given.path, error))


def _checked_file(given: Input, request: Request) -> CheckedFile:
    """One text checked, its fixes applied where that is asked for. Raises: CudasmithError."""
    mode = request.mode or given.config.mode or "strict"
    selection = given.config.selection(given.file or Path(given.path), request.select, request.ignore)
    document = given.document
    applied: tuple[Finding, ...] = ()
    if request.mend:
        document, applied = _mended(given, mode, selection, request)
        _put(given, document, request)
    candidate = Candidate(document.text, given.path)
    asked = EVERY_RULE if request.checklist else selection  # the checklist is answered by all rules
    result = run_check(candidate, mode, asked, request.known, request.token_budget, request.sizes)
    page = _page(candidate, result.selected(selection), applied)
    return attrs.evolve(page, checklist=checklist(result)) if request.checklist else page


def _mended(
    given: Input, mode: Mode, selection: Selection, request: Request
) -> tuple[Document, tuple[Finding, ...]]:
    done = fixed(
        given.document,
        given.path,
        lambda candidate: run_check(candidate, mode, known=request.known, problem=request.sizes),
        unsafe=request.unsafe,
        selection=selection,
    )
    return done.document, done.applied


def _put(given: Input, document: Document, request: Request) -> None:
    if request.mend == "diff":
        from cudasmith.report.checklist_text import unified_diff

        click.echo(unified_diff(given.document.raw(), document.raw(), given.path), nl=False)
    elif given.file is None:
        click.echo(document.raw(), nl=False)
    elif document != given.document:
        from cudasmith.report.write import rewrite_atomically
        from cudasmith.source.encoding import encoded

        rewrite_atomically(given.file, encoded(document.raw()))


def _page(candidate: Candidate, result: CheckResult, applied: tuple[Finding, ...]) -> CheckedFile:
    return CheckedFile(
        candidate=candidate,
        mode=result.mode,
        status=result.status,
        findings=result.findings,
        undecided=result.undecided,
        ignored=result.ignored,
        known=result.known,
        fixed=applied,
    )


def _write_baseline(path: Path, checked: Sequence[Checked]) -> int:
    from cudasmith.report.write import write_atomically

    pages = [c for c in checked if isinstance(c, CheckedFile)]
    found = [(c.candidate, c.shown) for c in pages]
    write_atomically(path, recorded(found, path))
    count = sum(len(verdicts) for _, verdicts in found)
    click.echo(f"{path}: {count} recorded, of {len(pages)} file{'s' if len(pages) != 1 else ''}")
    return _exit_code([c for c in checked if isinstance(c, UnreadFile)], diff=False)


def _show(checked: Sequence[Checked], form: str, diff: bool, *, to_stderr: bool) -> None:
    if form == "json":
        from cudasmith.report.check_json import check_json

        click.echo(check_json(checked), err=to_stderr)
    elif form == "sarif":
        from cudasmith import __version__
        from cudasmith.report.sarif import check_sarif

        click.echo(check_sarif(checked, __version__), err=to_stderr)
    elif form == "github":
        from cudasmith.report.check_json import github_annotations

        lines = github_annotations(checked)
        if lines:
            click.echo(lines, err=to_stderr)
    else:
        for item in checked:
            _print(item, diff, to_stderr)
        _print_total(checked, to_stderr)


def _print(item: Checked, diff: bool, to_stderr: bool) -> None:
    if isinstance(item, UnreadFile):
        click.echo(render_error(item.error), err=True)
        return
    if item.checklist:
        from cudasmith.report.checklist_text import render_checklist

        click.echo(render_checklist(item.checklist, item.candidate.path), err=to_stderr)
        return
    colour = (sys.stderr if to_stderr else sys.stdout).isatty() and "NO_COLOR" not in os.environ
    text, path = item.candidate.text, item.candidate.path
    body = "" if diff else render_all(item.findings, item.undecided, text, path, colour=colour)
    if body:
        click.echo(body + "\n", color=colour, err=to_stderr)
    counts = summary(
        item.findings,
        item.undecided,
        ignored=len(item.ignored),
        known=len(item.known),
        fixed=len(item.fixed),
    )
    click.echo(f"{path}: {item.status}: {counts}{_fixable(item)}", err=to_stderr)


def _fixable(item: CheckedFile) -> str:
    fixes = [f.fix for f in item.findings if f.fix is not None]
    safe = sum(f.safe for f in fixes)
    if safe:
        return f"; --fix mends {safe}"
    return f"; --fix --unsafe mends {len(fixes)}" if fixes else ""


def _print_total(checked: Sequence[Checked], to_stderr: bool) -> None:
    if len(checked) < 2:
        return
    states = [c.status if isinstance(c, CheckedFile) else "not checked" for c in checked]
    counts = [(states.count(s), s) for s in ("passed", "failed", "undecided", "not checked")]
    told = ", ".join(f"{n} {s}" for n, s in counts if n)
    click.echo(f"{len(checked)} files: {told}", err=to_stderr)


def _exit_code(checked: Sequence[Checked], diff: bool) -> int:
    """The highest of all files: a file that was not read weighs more than one that failed."""
    worst = 0
    for item in checked:
        if isinstance(item, UnreadFile):
            worst = max(worst, item.error.exit_code)
        elif item.fixed if diff else item.status != "passed":
            worst = max(worst, 1)
    return worst
