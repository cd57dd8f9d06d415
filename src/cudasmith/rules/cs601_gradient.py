"""CS601."""

from __future__ import annotations

import ast

from cudasmith.rules._cases import CORRECT, DECLARED, PASSED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.handles import ExtensionCall
from cudasmith.source.reach import is_autograd_function

_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"


class Gradient(Rule):
    """forward calls the extension inside a torch.autograd.Function.

    A bare call returns a tensor without grad_fn: training goes on, and everything before the operator
    silently gets no gradient. In an autograd.Function `backward` gives the gradient or raises
    NotImplementedError, which nobody overlooks. A note outside strict mode: most files are for
    inference and have no backward at all.
    """

    code = "CS601"
    name = "gradient"
    severity = severities("error", "info")
    BAD = (
        edit((_RETURN, "        return self.ext.scale(x, self.by)  # HERE\n")),
        edit(
            (_RETURN, "        return run(self.ext, x)\n"),
            ("class Scale", "def run(ext, x):\n    return ext.scale(x, 2)  # HERE\n\n\nclass Scale"),
        ),
        edit(
            ("class Scale(torch.autograd.Function)", "class Scale(Base)"),
            ("ext.scale(x, by)", "ext.scale(x, by)  # HERE"),
            ("Scale.apply(", "Scale.forward(None, "),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        PASSED,
        edit(
            ("torch.autograd.Function", "Function"),
            ("import torch\n", "import torch\nfrom torch.autograd import Function\n"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for call in file.handles.calls:
            if not set(file.reach.forward) & set(call.holders) or _differentiable(subject, call):
                continue
            span = file.source.node_span(call.call)
            message = (
                f"{call.function} is called outside a torch.autograd.Function: its result has no gradient"
            )
            help = "wrap it in a Function whose backward gives the gradient or raises NotImplementedError"
            yield self.found(subject, span, message, help=help)


def _differentiable(subject: Subject, call: ExtensionCall) -> bool:
    file = subject.file
    if call.through is not None:
        through = call.through.value if isinstance(call.through, ast.Attribute) else call.through
        used = [c for c in file.classes if isinstance(through, ast.Name) and c.name == through.id]
        return any(is_autograd_function(c, file.imported) for c in used)
    owner = next((h for h in call.holders if isinstance(h, ast.ClassDef)), None)
    if owner is not None and is_autograd_function(owner, file.imported):
        return True
    decorators = [d for h in call.holders if isinstance(h, ast.FunctionDef) for d in h.decorator_list]
    return any("custom_op" in ast.unparse(d) for d in decorators)
