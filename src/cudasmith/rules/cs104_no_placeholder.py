"""CS104."""

from __future__ import annotations

import ast

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import body_without_docstring

_FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"


class NoPlaceholder(Rule):
    """Nothing that forward runs is a placeholder: no lone `pass` or `...`, no NotImplementedError, no empty kernel.

    Only the syntax tree counts: the word "pass" in a comment, a docstring or CUDA text is fine.
    `backward` may raise NotImplementedError, and so may a refusal under an `if`.
    """

    code = "CS104"
    name = "no-placeholder"
    severity = severities("error", "error")
    BAD = (
        edit((_FORWARD, "        pass  # HERE\n")),
        edit((_FORWARD, "        ...  # HERE\n")),
        edit((_FORWARD, '        raise NotImplementedError("TODO")  # HERE\n')),
        edit(("__global__ void", "__global__ void later(float* x) {}  // HERE\n__global__ void")),
    )
    GOOD = (
        CORRECT,
        edit((_FORWARD, "        if x.dim() > 4:\n            raise NotImplementedError\n" + _FORWARD)),
        edit((_FORWARD, '        """Runs in one pass ... of the data."""\n' + _FORWARD)),
        edit(
            ("        self.by = by\n", "        self.by = by\n        self.forward = self.run\n"),
            (_FORWARD, "        pass\n\n    def run(self, x):\n" + _FORWARD),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        source = subject.file.source
        for function in subject.file.reach.forward:
            if function is subject.file.forward and "forward" in subject.file.bound:
                continue  # `self.forward = ...` replaces it
            body = body_without_docstring(function)
            if not body:
                message = f"{function.name} has no statement"
                yield self.found(subject, source.node_span(function), message)
            for statement in body:
                what = _placeholder(statement, alone=len(body) == 1)
                if what:
                    span = source.node_span(statement)
                    yield self.found(subject, span, f"{function.name} is a placeholder: {what}")
        for _, part in subject.parts():
            for kernel in part.symbols.kernels:
                if kernel.empty:
                    yield self.found(subject, part.name_span(kernel), f"kernel {kernel.name} does nothing")


def _placeholder(statement: ast.stmt, alone: bool) -> str:
    if isinstance(statement, ast.Pass) and alone:
        return "pass"
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return "..." if statement.value.value is Ellipsis else ""
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return "NotImplementedError" if getattr(raised, "id", "") == "NotImplementedError" else ""
    return ""
