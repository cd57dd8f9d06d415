"""CS103."""

from __future__ import annotations

import ast

import attrs

from cudasmith.model import Capture
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.names import Function, methods


class ModelNewForward(Rule):
    """There is exactly one class ModelNew, with its own `forward` that takes what the reference takes.

    The harness builds `ModelNew(*get_init_inputs())` and calls it with `get_inputs()`. A ModelNew that
    inherits `forward` from the reference runs the reference. Where the file holds the reference class
    `Model` too, or the problem is given (`--problem`), number and order of the positional parameters of
    `forward` and `__init__` are compared.
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
        "class Model(nn.Module):\n    def forward(self, x, y):\n        return x * y\n\n\n"
        + edit(("    def forward(self, x):", "    def forward(self, y, x):  # HERE")),
        "class Model(nn.Module):\n    def __init__(self, by, dim):\n        pass\n\n    def forward(self, x):\n        return x\n\n\n"
        + edit(("    def __init__(self, by):", "    def __init__(self, dim, by):  # HERE")),
        "class Model(nn.Module):\n    def __init__(self):\n        pass\n\n    def forward(self, x):\n        return x\n\n\n"
        + edit(("    def __init__(self, by):", "    def __init__(self, by):  # HERE")),
        edit(
            ("    def forward(self, x):", "    def forward(x):  # HERE"),
            ("self.ext, x, self.by", "None, x, 2.0"),
        ),
        edit(("    def forward(self, x):", "    async def forward(self, x):  # HERE")),
        edit(("    def forward(self, x):", "    @staticmethod\n    def forward(self, x):  # HERE")),
    )
    GOOD = (
        CORRECT,
        edit(
            ("    def forward(self, x):\n", "    @staticmethod\n    def forward(x):\n"),
            ("self.ext, x, self.by)", "None, x, 2)"),
        ),
        edit(
            ("    def forward(self, x):", "    def forward(model, x):"),
            ("(self.ext, x, self.by)", "(model.ext, x, 2)"),
        ),
        edit(
            ("    def forward(self, x):", "    def forward(m, *args):"),
            ("self.ext, x, self.by", "m.ext, *args"),
        ),
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
            yield from self._signature(subject, models[-1], forward)
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

    def _signature(self, subject: Subject, model: ast.ClassDef, forward: Function) -> Verdicts:
        fault = _uncallable(forward)
        if fault:
            span = subject.file.source.node_span(forward)
            yield self.found(subject, span, fault, help="def forward(self, ...)")
            return
        for method in ("forward", "__init__"):
            own = methods(model).get(method)
            references = [methods(c)[method] for c in subject.file.named("Model") if method in methods(c)]
            wanted = _given(subject.capture, method) or (_wants(references[-1]) if references else None)
            said = _differs(own, wanted) if own is not None and wanted is not None else None
            if own is not None and said:
                span = subject.file.source.node_span(own)
                yield self.found(subject, span, f"{method} takes {said}")


@attrs.frozen
class _Wanted:
    """How many positional arguments a method is called with, and the reference's names for them."""

    low: int
    high: int
    names: tuple[str, ...]


def _given(capture: Capture | None, method: str) -> _Wanted | None:
    """What the problem calls the method with."""
    if capture is None:
        return None
    names = capture.forward_args if method == "forward" else ()
    count = len(names) if method == "forward" else len(capture.init_literals[0])
    return _Wanted(count, count, names)


def _wants(reference: Function) -> _Wanted | None:
    takes = _takes(reference)
    return None if takes is None else _Wanted(*takes, tuple(_names(reference)))


def _differs(own: Function, wanted: _Wanted) -> str | None:
    """What a method takes other than what is wanted of it, in words; None where it fits or takes anything."""
    takes = _takes(own)
    if takes is None:
        return None
    if takes[0] > wanted.high or takes[1] < wanted.low:
        return f"{takes[1]} arguments, the reference's takes {wanted.high}"
    names = _names(own)
    for place, name in enumerate(wanted.names):
        if name in names and names.index(name) != place:
            return f"{name} as argument {names.index(name) + 1}, the reference's as argument {place + 1}"
    return None


def _uncallable(forward: Function) -> str | None:
    """Why `ModelNew(...)(x)` cannot get a tensor of it; None where it can."""
    named = [*forward.args.posonlyargs, *forward.args.args]
    if isinstance(forward, ast.AsyncFunctionDef):
        return "forward is async: a call gives a coroutine, not a tensor"
    if _is_static(forward):
        return "forward is static and takes self" if named and named[0].arg == "self" else None
    if not named:
        return None if forward.args.vararg else "forward has no self"
    if named[0].arg == "self":
        return None
    takes_input = named[0].annotation is not None or (len(named) == 1 and not forward.args.vararg)
    return "forward has no self" if takes_input else None


def _is_static(function: Function) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _takes(function: Function) -> tuple[int, int] | None:
    """Fewest and most positional arguments without self; None for *args."""
    given = function.args
    if given.vararg or given.kwarg:
        return None
    most = len(_names(function))
    return most - len(given.defaults), most


def _names(function: Function) -> list[str]:
    """Positional parameters without self."""
    named = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return named if _is_static(function) else named[1:]
