"""CS601."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeGuard

from cudasmith.rules._cases import CORRECT, DECLARED, PASSED, edit
from cudasmith.rules._kinds import kind
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.handles import ExtensionCall
from cudasmith.source.inputs import declared_inputs, forward_parameter
from cudasmith.source.names import methods, walk
from cudasmith.source.reach import is_autograd_function

_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_BACKWARD = '        raise NotImplementedError("inference only")\n'


class Gradient(Rule):
    """forward calls the extension inside a torch.autograd.Function.

    A bare call returns a tensor without grad_fn: training goes on, and everything before the operator
    silently gets no gradient. In an autograd.Function `backward` gives the gradient or raises
    NotImplementedError, which nobody overlooks. A backward that gives None for every tensor of forward, or for
    a parameter of the model, loses the gradient just as silently. A note outside strict mode: most files are
    for inference and have no backward at all.
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
        edit((_BACKWARD, "        return None, None, None  # HERE\n")),
        edit((_BACKWARD, "        return None  # HERE\n")),
        edit(("def backward(ctx, grad):", "def backward(ctx, grad):  # HERE"), (_BACKWARD, "        pass\n")),
        edit(
            (_BACKWARD, "        return None, None, grad  # HERE\n"),
            (_RETURN, _RETURN.replace("x, self.by", "self.w, x")),
            ("        self.by = by\n", "        self.w = nn.Parameter(torch.ones(3))\n"),
            ("(ctx, ext, x, by)", "(ctx, ext, w, x)"),
            ("ext.scale(x, by)", "ext.scale(w, x)"),
        ),
    )
    GOOD = (
        CORRECT,
        edit((_BACKWARD, "        return None, grad * 2, None\n")),
        edit(
            (
                _BACKWARD,
                "        if grad is None:\n            return None, None, None\n        return None, grad, None\n",
            )
        ),
        edit(
            (_BACKWARD, "        return None, None, None\n"),
            ("return ext.scale(x, by)", "ctx.mark_non_differentiable(x)\n        return ext.scale(x, by)"),
        ),
        edit((_BACKWARD, "        return None, None, None\n"))
        + "\n\ndef get_inputs():\n    return [torch.randint(0, 9, (4, 4))]\n",
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
        for owner in file.classes:
            if is_autograd_function(owner, file.imported):
                yield from self._lost(subject, owner)

    def _lost(self, subject: Subject, owner: ast.ClassDef) -> Verdicts:
        """Gradients that backward gives as None whatever happens."""
        file, own = subject.file, methods(owner)
        backward = own.get("backward")
        if backward is None or any(getattr(n, "attr", "") == "mark_non_differentiable" for n in walk(owner)):
            return
        calls = [n for f in file.reach.forward for n in walk(f) if _applies(n, owner)]
        wanted = {i for c in calls for i, a in enumerate(c.args) if _wants_gradient(subject, a)}
        learned = {i for c in calls for i, a in enumerate(c.args) if _is_parameter(subject, a)}
        given = [_given(n) for n in walk(backward) if isinstance(n, ast.Return)]
        raises = any(isinstance(n, ast.Raise) for n in walk(backward))
        if any(g is None for g in given) or (raises and not given):
            return
        lost = {i for i in wanted if all(_is_none(g, i) for g in given if g is not None)}
        if lost and (lost == wanted or lost & learned):
            place = next((n for n in walk(backward) if isinstance(n, ast.Return)), backward)
            message = (
                f"backward gives None for argument {min(lost) + 1} of {owner.name}.apply, which is a tensor"
            )
            help = "give its gradient, or raise NotImplementedError"
            yield self.found(subject, file.source.node_span(place), message, help=help)


def _applies(node: ast.AST, owner: ast.ClassDef) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    starred = any(isinstance(a, ast.Starred) for a in node.args)
    return node.func.attr == "apply" and getattr(node.func.value, "id", "") == owner.name and not starred


def _wants_gradient(subject: Subject, node: ast.expr) -> bool:
    """A tensor that is not known to hold integers."""
    inputs, at = declared_inputs(subject.file), forward_parameter(subject.file, node)
    dtype = inputs[at].dtype if at is not None and at < len(inputs) else None
    floating = dtype in (None, "float", "double", "half", "bfloat16")
    return floating and (_is_parameter(subject, node) or kind(subject.file, node) == "tensor")


def _is_parameter(subject: Subject, node: ast.expr) -> bool:
    if not isinstance(node, ast.Attribute) or getattr(node.value, "id", "") != "self":
        return False
    values = [v for v in subject.file.bound.get(node.attr, ()) if isinstance(v, ast.Call)]
    return any((subject.file.dotted(v.func) or "").endswith("nn.Parameter") for v in values)


def _given(node: ast.Return) -> list[ast.expr | None] | None:
    """What a return gives, one by one; one None for all when it is None itself; None where it is not written out."""
    value = node.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return []
    if not isinstance(value, ast.Tuple):
        return [value] if isinstance(value, ast.Name) else None
    return None if any(isinstance(e, ast.Starred) for e in value.elts) else list(value.elts)


def _is_none(given: Sequence[ast.expr | None], index: int) -> bool:
    if not given:
        return True
    value = given[index] if index < len(given) else given[-1]
    return isinstance(value, ast.Constant) and value.value is None


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
