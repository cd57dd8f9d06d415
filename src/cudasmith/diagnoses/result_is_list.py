"""DG551."""

from __future__ import annotations

import ast
import re

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import line_span, user_lines
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.source.filemodel import FileModel, parse_file

_ASKED = (
    r"^'(?P<kind>list|tuple)' object has no attribute '(?P<name>shape|size|dtype|device|dim|to|cpu|cuda|contiguous|view|reshape"
    r"|float|half|double|long|item|sum|mean|backward|numel|abs|max|min|sqrt|exp|t|clone|detach|requires_grad|requires_grad_"
    r"|is_cuda|ndim|transpose|permute|flatten|squeeze|unsqueeze|norm|any|all|argmax|softmax|numpy|tolist|std|var|add_|mul_)'"
)
_USED = (
    r"^(?:\w+\(\): argument '\w+' (?:\(position \d+\) )?must be Tensor, not (?P<kind>list|tuple)"
    r"|can(?:'t multiply sequence by non-int| only concatenate (?P<one>list|tuple) \(not \"\w+\"\))"
    r"|(?P<two>list|tuple) indices must be integers or slices"
    r"|unsupported operand type\(s\) for .*'(?P<three>list|tuple)'|bad operand type for .*'(?P<four>list|tuple)'"
    r"|'[<>=!]+' not supported between instances of .*'(?P<five>list|tuple)')"
)
_SEVERAL = re.compile(r"\b(?:std::)?(?:vector|tuple|pair|array)\s*<|\b(?:at|torch)::TensorList\b")


class ResultIsList(Diagnosis):
    """A list or tuple is used as one tensor, mostly the result of a bound function that returns several.

    pybind11 makes a list of a std::vector<torch::Tensor> and a tuple of a std::tuple, also of one with one element. A
    list has no .cpu() and no .shape, and torch's functions do not take it for a tensor.

    Take it apart at the call, `values, indices = ext.top1(x)`, or take one element, `ext.top1(x)[0]`. A function with
    one result returns torch::Tensor.
    """

    code = "DG551"
    name = "result-is-list"
    hides = ("DG550",)
    CASES = (Case("call_result_is_list", says="top1() returns a list", line=32),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        asked, used = log.exception("AttributeError", _ASKED), log.exception("TypeError", _USED)
        found = asked or used
        if found is None:
            return None
        raised, match = found
        kind = next((k for k in match.groupdict().values() if k in ("list", "tuple")), "list")
        lines = user_lines(log, raised.at, candidate) if candidate is not None else []
        function = _source(parse_file(candidate), lines[0]) if candidate is not None and lines else ""
        if not function and asked is None:
            return None
        message = f"a {kind} stands where one tensor is expected"
        if function:
            message = f"{function}() returns a {kind}, which is used as one tensor here"
        return hit_raised(
            raised,
            message,
            "take it apart where it is made, a, b = ..., or take one element: [0]",
            span=line_span(candidate, lines[0]) if candidate is not None and lines else None,
        )


def _source(model: FileModel, line: int) -> str:
    """The bound function that returns several values, whose result a line of the file uses; empty if there is none."""
    several = {name for build in model.builds for region in build.regions() for name in _several(region.text)}
    used = {n.id for n in ast.walk(model.tree) if isinstance(n, ast.Name) and n.lineno == line}
    for made in model.handles.calls:
        owner = model.parent.get(made.call)
        names = (
            {t.id for t in owner.targets if isinstance(t, ast.Name)}
            if isinstance(owner, ast.Assign)
            else set()
        )
        here = made.call.lineno <= line <= (made.call.end_lineno or line)
        if made.function in several and (names & used or (here and not isinstance(owner, ast.Assign))):
            return made.function
    return ""


def _several(text: str) -> set[str]:
    """The names under which functions that return several values are bound."""
    known = symbols(text)
    makers = {f.name for f in known.functions if f.is_host and _SEVERAL.search(f.returns)}
    return makers | {e.name for b in known.bindings for e in b.exports if e.target in makers}
