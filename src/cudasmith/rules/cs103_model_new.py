"""CS103."""

from __future__ import annotations

import ast

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import Function, methods


class ModelNewForward(Rule):
    """There is exactly one class ModelNew, with its own `forward` that takes what the reference takes.

    The harness builds `ModelNew(*get_init_inputs())` and calls it with `get_inputs()`. A ModelNew that
    inherits `forward` from the reference runs the reference. Where the file holds the reference class
    `Model` too, the number of positional parameters of the two `forward`s is compared.
    """

    code = "CS103"
    name = "model-new-forward"
    severity = severities("error", "error")
    BAD = (
        edit(("ModelNew", "Model2")),
        edit(
            ("    def forward(self, x):", "    def run(self, x):"),
            ("class ModelNew(nn.Module):", "class ModelNew(nn.Module):  # HERE"),
        ),
        CORRECT + "\n\nclass ModelNew(nn.Module):  # HERE\n    def forward(self, x):\n        return x\n",
        "class Model(nn.Module):\n    def forward(self, x, y):\n        return x * y\n\n\n"
        + edit(("    def forward(self, x):", "    def forward(self, x):  # HERE")),
    )
    GOOD = (
        CORRECT,
        "class Model(nn.Module):\n    def forward(self, x, y=1):\n        return x * y\n\n\n" + CORRECT,
        edit(
            ("    def forward(self, x):\n        return ", "    forward = lambda self, x: "),
        ),
        "class Base(nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
        "class ModelNew(Base):\n    pass\n",
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        if file.fault:
            return
        models = file.named("ModelNew")
        if not models:
            if "ModelNew" in file.bound:
                yield self.undecided(
                    file.source.node_span(file.bound["ModelNew"][0]), "ModelNew is not a class here"
                )
            else:
                yield self.found(subject, None, "the file has no class ModelNew")
            return
        for again in models[1:]:
            yield self.found(
                subject, file.source.node_span(again), "a second class ModelNew replaces the first"
            )
        forward = file.forward
        if forward is not None:
            yield from self._signature(subject, forward)
        else:
            yield from self._inherited(subject, models[-1])

    def _inherited(self, subject: Subject, model: ast.ClassDef) -> Verdicts:
        file, span = subject.file, subject.file.source.node_span(model)
        bases = [b.id for b in model.bases if isinstance(b, ast.Name)]
        owned = [c for c in file.classes if c.name in bases and "forward" in methods(c)]
        if "Model" in bases:
            yield self.found(subject, span, "ModelNew inherits forward from the reference Model")
        elif not owned and all((file.dotted(b) or "").startswith("torch.") for b in model.bases):
            yield self.found(subject, span, "ModelNew has no forward")
        elif not owned:
            yield self.undecided(span, "forward comes from a base class that is not in this file")

    def _signature(self, subject: Subject, forward: Function) -> Verdicts:
        if _lacks_self(forward):
            span = subject.file.source.node_span(forward)
            yield self.found(subject, span, "forward has no self", help="def forward(self, ...)")
            return
        reference = [methods(c)["forward"] for c in subject.file.named("Model") if "forward" in methods(c)]
        if not reference or _takes(forward) is None or _takes(reference[-1]) is None:
            return
        low, high = _takes(forward) or (0, 0)
        wanted_low, wanted_high = _takes(reference[-1]) or (0, 0)
        if low > wanted_high or high < wanted_low:
            span = subject.file.source.node_span(forward)
            message = f"forward takes {high} arguments, the reference's takes {wanted_high}"
            yield self.found(subject, span, message)


def _lacks_self(function: Function) -> bool:
    """No place for self, or an annotated parameter stands there: `def forward(x: torch.Tensor)`."""
    named = [*function.args.posonlyargs, *function.args.args]
    if _is_static(function):
        return False
    return (
        named[0].annotation is not None and named[0].arg != "self" if named else function.args.vararg is None
    )


def _is_static(function: Function) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _takes(function: Function) -> tuple[int, int] | None:
    """Fewest and most positional arguments without self; None for *args."""
    given = function.args
    if given.vararg or given.kwarg:
        return None
    most = len(given.posonlyargs) + len(given.args) - 1
    return most - len(given.defaults), most
