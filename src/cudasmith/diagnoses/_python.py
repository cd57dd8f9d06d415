"""What diagnoses of Python's own errors share: the faulty line, the load_inline call behind a frame, edits."""

from __future__ import annotations

import ast
import re
from pathlib import PurePath
from typing import ClassVar

from cudasmith.diagnoses._diagnosis import Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import line_span, user_frame
from cudasmith.diagnoses._log import Log, Raised
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.regions import BuildCall

_SYNTAX_FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)\s*$')


class PythonError(Diagnosis):
    """Base of the diagnoses that one exception decides.

    `type` and `told`: regular expressions for the exception and its message. `fact` and `remedy`: message and help, with the
    named groups of `told` in braces. `within`: a text that a line above must hold, such as the function that raised it. The
    place is the user's innermost line.
    """

    type: ClassVar[str] = "RuntimeError"
    told: ClassVar[str]
    within: ClassVar[str] = ""
    fact: ClassVar[str]
    remedy: ClassVar[str]

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception(self.type, self.told)
        if found is None:
            return None
        raised, match = found
        if not any(self.within in line for line in log.lines[: raised.at]):
            return None
        span = self.place(log, raised, candidate)
        fix = None if candidate is None or span is None else self.fix(candidate, span, match)
        found_call = call_at(candidate, span) if candidate is not None and span is not None else None
        if candidate is not None and found_call is not None:
            span = argument_line(candidate, found_call[1], self.argument(found_call[1], match)) or span
        words = match.groupdict(default="")
        return hit_raised(raised, self.fact.format(**words), self.remedy.format(**words), span=span, fix=fix)

    def place(self, log: Log, raised: Raised, candidate: Candidate | None) -> Span | None:
        return user_frame(log, raised.at, candidate)

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        """The argument of load_inline that is wrong: its line is the place then. Empty if it is no single one."""
        return ""

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        """The edit that certainly mends it, where there is one. `span`: the place."""
        return None


class FaultyText(PythonError):
    """Base of the diagnoses of a file that Python does not read."""

    type = "SyntaxError|IndentationError|TabError"
    hides: ClassVar[tuple[str, ...]] = ("DG113",)  # the general one

    def place(self, log: Log, raised: Raised, candidate: Candidate | None) -> Span | None:
        frame = syntax_frame(log, raised)
        if frame is None or candidate is None or PurePath(frame[0]).name != PurePath(candidate.path).name:
            return None
        return line_span(candidate, frame[1])


def syntax_frame(log: Log, raised: Raised) -> tuple[str, int, str] | None:
    """File, number and text of the line that a SyntaxError shows above itself."""
    for at in range(raised.at - 1, max(raised.at - 5, -1), -1):
        if m := _SYNTAX_FRAME.match(log.lines[at]):
            text = log.lines[at + 1].strip() if at + 1 < raised.at else ""
            return m["file"], int(m["line"]), text
    return None


def call_at(candidate: Candidate, span: Span) -> tuple[FileModel, BuildCall] | None:
    """The load_inline call that covers a line."""
    model = parse_file(candidate)
    for build in model.builds:
        if build.call.lineno <= span.line <= (build.call.end_lineno or build.call.lineno):
            return model, build
    return None


def argument_line(candidate: Candidate, build: BuildCall, name: str) -> Span | None:
    """The line of an argument of a load_inline call, given by its place or by its name, even one it does not have."""
    named = [k.lineno for k in build.call.keywords if k.arg is not None and k.arg == name]
    placed = build.keywords.get(name)
    lines = named or ([placed.lineno] if placed is not None else [])
    return line_span(candidate, lines[-1]) if lines else None


def removed_line(number: int) -> Fix:
    """A whole line taken out."""
    return Fix(Span(number, 1, number + 1, 1), "")


def bracketed(model: FileModel, node: ast.expr | None) -> Fix | None:
    """A tuple or a set that is written out, as a list."""
    if not isinstance(node, (ast.Tuple, ast.Set)) or not node.elts:
        return None
    span = model.source.node_span(node)
    parts = ", ".join(ast.get_source_segment(model.source.text, e) or "" for e in node.elts)
    return Fix(span, f"[{parts}]") if span.line == span.end_line else None


def returned(candidate: Candidate, owner: str, method: str) -> list[Span]:
    """The return statements of a method of a class of the file."""
    model = parse_file(candidate)
    return [
        model.source.node_span(node)
        for c in model.classes
        if c.name == owner
        for f in c.body
        if isinstance(f, ast.FunctionDef) and f.name == method
        for node in ast.walk(f)
        if isinstance(node, ast.Return)
    ]


def forward_without_return(candidate: Candidate) -> Span | None:
    """The last statement of the one forward of the file that returns nothing."""
    model = parse_file(candidate)
    found = [
        f.body[-1]
        for c in model.classes
        for f in c.body
        if isinstance(f, ast.FunctionDef) and f.name == "forward"
        if not any(isinstance(n, (ast.Return, ast.Raise, ast.Yield)) for n in ast.walk(f))
    ]
    return model.source.node_span(found[0]) if len(found) == 1 else None


def module_on_cpu(candidate: Candidate) -> Span | None:
    """Where the file makes its one module with parameters, if it never moves a module to a device."""
    model = parse_file(candidate)
    with_parameters = {
        c.name
        for c in model.classes
        if any(
            (model.dotted(n.func) or "").endswith((".Parameter", ".Linear"))
            for n in ast.walk(c)
            if isinstance(n, ast.Call)
        )
    }
    made = [
        n
        for n in ast.walk(model.tree)
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") in with_parameters
    ]
    if len(made) != 1 or not isinstance(owner := model.parent.get(made[0]), ast.Assign):
        return None
    names = {t.id for t in owner.targets if isinstance(t, ast.Name)}
    moved = any(
        isinstance(n, ast.Attribute) and n.attr in ("cuda", "to") and getattr(n.value, "id", "") in names
        for n in ast.walk(model.tree)
    )
    return None if moved else model.source.node_span(made[0])
