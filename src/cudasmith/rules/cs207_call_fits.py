"""CS207."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudasmith.rules._cases import CORRECT, DECLARED, PASSED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Subject, Unit
from cudasmith.source.filemodel import FileModel
from cudasmith.source.handles import ExtensionCall
from cudasmith.source.names import Function, methods, walk

_CALL = "ext.scale(x, by)"
_DEF = 'm.def("scale", &scale, "x times a number");'
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"
MANY = 1000


class CallFits(Rule):
    """What Python calls of the extension is exported, and takes as many arguments.

    A name that no binding exports is an AttributeError; a wrong number of arguments is a TypeError from
    pybind11. It knows no default arguments of C++: what is optional must be said with
    `py::arg("by") = 1.0`, and what is given by keyword must have been named with py::arg. Followed are
    names that hold the module, names that hold one of its functions, and autograd Functions and
    helpers that a function is handed to.
    """

    code = "CS207"
    name = "call-fits"
    answers = "one-binding"
    severity = severities("error", "error")
    BAD = (
        edit((_CALL, "ext.scaled(x, by)  # HERE")),
        edit((_CALL, "ext.scale(x)  # HERE")),
        edit((_CALL, "ext.scale(x, by, 1)  # HERE")),
        edit((_CALL, "ext.scale(x, by=by)  # HERE")),
        edit((_CALL, "ext.scale(x)  # HERE"), (_HEAD, _HEAD.replace("double by", "double by = 1.0"))),
        edit(
            (_CALL, "ext.scale(x)  # HERE"),
            (_DEF, 'm.def("scale", [](torch::Tensor x, double by) { return scale(x, by); });'),
        ),
        edit(
            ("        return Scale.apply(", "        return Scale.apply(  # HERE\n            "),
            (", x, self.by)", ", x)"),
            text=PASSED,
        ),
        edit((_CALL, "ext.scale(x, by, 2)  # HERE"), text=DECLARED),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        PASSED,
        edit(
            (_CALL, "ext.scale(x)"), (_DEF, 'm.def("scale", &scale, "", py::arg("x"), py::arg("by") = 1.0);')
        ),
        edit((_CALL, "ext.scale(x, by=by)"), (_DEF, 'm.def("scale", &scale, py::arg("x"), py::arg("by"));')),
        edit(
            (_CALL, "ext.scale(x, 1, 2, 3)"),
            (_DEF, 'm.def("scale", [](torch::Tensor x, py::args rest) { return scale(x, 2); });'),
        ),
        edit(
            (_CALL, "ext.scale(x)"),
            (_DEF, _DEF + '\n  m.def("scale", [](torch::Tensor x) { return scale(x, 2); });'),
        ),
        edit(
            (
                "        self.ext = ModelNew._ext\n",
                "        self.ext = ModelNew._ext\n        self.scale = nn.Linear(2, 2)\n",
            ),
            ("class Scale", "scale = load_inline('s', [], [cuda_src])\n\n\nclass Scale"),
            (_CALL, "self.scale.parameters() or " + _CALL),
        ),
        edit((_CALL, "ext.__doc__.strip()\n        " + _CALL)),
        edit(  # a layer is called as an extension is: what is read of it is no export
            (
                "        self.ext = ModelNew._ext\n",
                "        self.ext = ModelNew._ext\n        self.norm = nn.LayerNorm(2)\n",
            ),
            ("class Scale", "norm = load_inline('s', [], [cuda_src])\n\n\nclass Scale"),
            ("Scale.apply(self.ext, x, self.by)", "Scale.apply(self.ext, x, self.norm.weight)"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        if any(_unread(u) for u in subject.units):
            return  # other rules say that the exports are not known
        for call in file.handles.calls:
            if call.function.startswith("__") or file.beside_model(call.call):
                continue
            if not _surely_a_module(file, call):
                continue
            exported = [(u, e) for u in subject.units for e in u.exported if e.name == call.function]
            if exported:
                yield from self._count(subject, call, exported)
            else:
                yield from self._name(subject, call)

    def _name(self, subject: Subject, call: ExtensionCall) -> Verdicts:
        span = subject.file.source.node_span(call.call)
        blocks = [b for u in subject.units for p in u.parts for b in p.symbols.bindings]
        if any(call.function in b.words or b.hands_on for b in blocks):
            yield self.undecided(span, f"cannot tell whether the binding exports {call.function}")
            return
        names = sorted({e.name for u in subject.units for e in u.exported})
        help = f"the extension exports {', '.join(names)}" if names else "the extension exports nothing"
        yield self.found(subject, span, f"the extension does not export {call.function}", help=help)

    def _count(
        self, subject: Subject, call: ExtensionCall, exported: Sequence[tuple[Unit, Exported]]
    ) -> Verdicts:
        span = subject.file.source.node_span(call.call)
        takes = [_takes(unit, e) for unit, e in exported]
        if any(t == (0, MANY) for t in takes):
            return
        for given in _given(subject.file, call):
            if given is None or None in takes:
                reason = f"cannot tell whether the arguments of {call.function} are as many as it takes"
                yield self.undecided(span, reason)
            elif not any(t and t[0] <= given[0] <= t[1] for t in takes):
                low, high = takes[0] or (0, 0)
                wanted = str(high) if low == high else f"{low} to {high}"
                message = f"{call.function} is called with {given[0]} arguments and takes {wanted}"
                yield self.found(subject, span, message, help=_help(exported[0][1], given[0], low))
            elif not any(given[1] <= set(e.names) for _, e in exported):
                unknown = min(given[1] - {n for _, e in exported for n in e.names})
                message = f"{call.function} knows no argument called {unknown}"
                help = "give it by position, or name it in the binding with py::arg"
                yield self.found(subject, span, message, help=help)


def _surely_a_module(file: FileModel, call: ExtensionCall) -> bool:
    """False where the name also holds something else, such as `self.conv = nn.Conv2d(...)` beside `conv = load_inline(...)`."""
    args = call.call.args
    target = call.call.func if call.through is None else args[len(args) - len(call.arguments) - 1]
    if isinstance(target, ast.Attribute) and file.handles.holds(target.value):
        return _only_modules(file, target.value)
    values = file.bound.get(str(getattr(target, "attr", "") or getattr(target, "id", "")), ())
    return all(isinstance(v, ast.Attribute) and _only_modules(file, v.value) for v in values)


def _only_modules(file: FileModel, holder: ast.expr) -> bool:
    if not isinstance(holder, (ast.Name, ast.Attribute)):
        return True
    name = holder.id if isinstance(holder, ast.Name) else holder.attr
    values = file.bound.get(name, ())
    return all(file.handles.holds(v) or _is_build(file, v) or ast.unparse(v) == "None" for v in values)


def _is_build(file: FileModel, node: ast.expr) -> bool:
    return any(b.call is node for b in file.builds)


def _help(exported: Exported, given: int, low: int) -> str | None:
    if given < low and exported.part is not None:
        return 'pybind11 knows no default of C++: write py::arg("name") = value in m.def for each parameter'
    return None


def _unread(unit: Unit) -> bool:
    """Whether what it exports is unknown, or nothing is imported from it."""
    bound = any(p.symbols.bindings for p in unit.parts) or unit.build.functions is not None
    module = unit.build.values.get("is_python_module") is not False
    return unit.opaque is not None or "functions" in unit.build.unresolved or not bound or not module


def _takes(unit: Unit, exported: Exported) -> tuple[int, int] | None:
    """Fewest and most arguments; None when the function is not read, or there are several of the name."""
    if exported.params is not None:
        params = exported.params
    else:
        known = [f for p in unit.parts for f in p.symbols.named(exported.target or "") if f.is_host]
        every = [f for f in known if f.is_definition] or known
        if not every:
            return 0, MANY  # CS203 says that it is not found
        if len({len(f.params) for f in every}) != 1:
            return None
        params = every[0].params
    if any(
        word in p.type
        for p in params
        for word in ("py::args", "py::kwargs", "pybind11::args", "pybind11::kwargs")
    ):
        return 0, MANY
    return len(params) - exported.defaults, len(params)


def _given(file: FileModel, call: ExtensionCall) -> Iterator[tuple[int, set[str]] | None]:
    """Number of arguments and names of those by keyword, for each call that really happens; None when not known."""
    if call.through is None:
        yield _arguments(call.call, ())
        return
    at = len(call.call.args) - len(call.arguments) - 1
    receiver, first = _receiver(file, call.through)
    params = receiver.args.args if receiver is not None else []
    if receiver is None or at + first >= len(params):
        yield None
        return
    name, rest = params[at + first].arg, params[at + first + 1 :]
    inner = [n for n in walk(receiver) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == name]
    spread = receiver.args.vararg
    for node in inner:
        handed = len(node.args) == 1 and isinstance(node.args[0], ast.Starred)
        if handed and spread is not None and ast.unparse(node.args[0]) == f"*{spread.arg}":
            yield _arguments(call.call, call.call.args[: at + 1 + len(rest)])
        else:
            yield _arguments(node, ())
    if not inner:
        yield None


def _arguments(call: ast.Call, without: Sequence[ast.expr]) -> tuple[int, set[str]] | None:
    given = [a for a in call.args if a not in without]
    if any(isinstance(a, ast.Starred) for a in given) or any(k.arg is None for k in call.keywords):
        return None
    return len(given) + len(call.keywords), {k.arg for k in call.keywords if k.arg}


def _receiver(file: FileModel, through: ast.expr) -> tuple[Function | None, int]:
    """The function of the file that gets the exported one, and where its own arguments begin."""
    if isinstance(through, ast.Attribute) and through.attr == "apply":
        owner = [c for c in file.classes if c.name == getattr(through.value, "id", "")]
        return (methods(owner[-1]).get("forward"), 1) if owner else (None, 0)
    name = getattr(through, "id", "")
    found = [n for n in file.tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    return (found[-1], 0) if found else (None, 0)
