"""DG544."""

from __future__ import annotations

import ast

from cudasmith.cuda.extract import symbols
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._log import Log, Raised
from cudasmith.diagnoses._python import PythonError, forward_without_return
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file


class ResultIsNone(PythonError):
    """An attribute was asked of None.

    A bound function that returns void, or a default-made torch::Tensor, gives None in Python; so does a
    forward without return.

    Return the output tensor from the C++ function, or the value from forward.
    """

    code = "DG544"
    name = "result-is-none"
    type = r"AttributeError"
    told = (
        r"^'NoneType' object has no attribute '(?P<name>shape|size|dtype|device|dim|to|cpu|cuda|contiguous|view|reshape|float"
        r"|half|item|sum|mean|backward|numel|abs|max|min|sqrt|exp|t|clone|detach|requires_grad|requires_grad_|is_cuda|ndim"
        r"|transpose|permute|flatten|squeeze|unsqueeze|norm|any|all|argmax|softmax|numpy|tolist)'"
    )
    fact = "a tensor was expected and there is None: {name}"
    remedy = (
        "return a tensor from the function that gave it: a void or undefined torch::Tensor result is None"
    )
    CASES = (
        Case("odd_forward_without_return", says="mean", line=32),
        Case("call_undefined_return", says="shape", line=6),
    )

    def place(self, log: Log, raised: Raised, candidate: Candidate | None) -> Span | None:
        """The end of a forward that returns nothing, or a bound function that returns void."""
        frame = super().place(log, raised, candidate)
        if candidate is None:
            return frame
        return forward_without_return(candidate) or _void(candidate) or frame


def _void(candidate: Candidate) -> Span | None:
    """The one bound function of the file that the Python code uses for its value and that returns nothing."""
    model = parse_file(candidate)
    used = {c.function for c in model.handles.calls if not isinstance(model.parent.get(c.call), ast.Expr)}
    found = [
        span
        for build in model.builds
        for region in build.regions()
        for f in symbols(region.text).functions
        if f.name in used and f.is_definition and f.is_host and f.returns.strip() == "void"
        if (span := region.span(f.name_start, f.name_start + len(f.name))) is not None
    ]
    return found[0] if len(found) == 1 else None
