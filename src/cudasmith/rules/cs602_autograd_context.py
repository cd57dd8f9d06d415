"""CS602."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cudasmith.cuda import host
from cudasmith.cuda.host import Pointer
from cudasmith.cuda.outputs import writes
from cudasmith.cuda.symbols import Function, Param
from cudasmith.model.finding import Fix, Severity
from cudasmith.rules._cases import CORRECT, DECLARED, PASSED, edit
from cudasmith.rules._kinds import kind
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit
from cudasmith.rules._tensor_use import minds_layout, reads_pointer
from cudasmith.source.handles import ExtensionCall
from cudasmith.source.names import Function as PythonFunction
from cudasmith.source.names import methods, walk
from cudasmith.source.reach import is_autograd_function

_ONCE = "torch.autograd.function.once_differentiable"
_INDICES = re.compile(r"(?:^|_)(?:idx|ind|index|indices|arg(?:max|min)?|positions?)(?:_|$)")
_OF_TENSORS = (
    "contiguous",
    "shape",
    "numel",
    "size",
    "dtype",
    "device",
    "new_empty",
    "data_ptr",
    "detach",
    "clone",
)
_FORWARD = "        return ext.scale(x, by)\n"
_BACKWARD = (
    '    @staticmethod\n    def backward(ctx, grad):\n        raise NotImplementedError("inference only")\n'
)
_ONCE_BACKWARD = f"    @staticmethod\n    @{_ONCE}\n    def backward(ctx, grad):\n        return None, ctx.ext.scale(grad, ctx.by), None\n"
_KEEP = "        ctx.ext, ctx.by = ext, by\n"
_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_IN_PLACE = (
    (_CHECKED, ""),
    ("  torch::Tensor out = torch::empty(x.sizes(), x.options());\n", "  torch::Tensor out = x;\n"),
)


class AutogradContext(Rule):
    """An autograd.Function keeps its context as autograd asks.

    Tensors go through ctx.save_for_backward: as plain attributes they make a cycle that keeps memory, and a
    change of them is not noticed. The gradient that backward gets may be expanded, all of it one
    number in memory: make it contiguous before a kernel reads it. What a kernel writes in place is
    named with ctx.mark_dirty and returned. Indices given as floating-point numbers are named with
    ctx.mark_non_differentiable. A note: a backward that calls a kernel is not differentiable itself, which
    once_differentiable says and silence does not.

    Bad:  `ctx.x = x`
    Good: `ctx.save_for_backward(x)`
    """

    code = "CS602"
    name = "autograd-context"
    severity = severities("warning", "warning")
    BAD = (
        edit(
            (
                _FORWARD,
                "        out = ext.scale(x, by)\n        ctx.out, ctx.by = out, by  # HERE\n        return out\n",
            )
        ),
        edit((_FORWARD, "        ctx.x = x  # HERE\n" + _FORWARD)),
        edit(
            (_CHECKED, ""),
            (_FORWARD, _KEEP + "        return ext.scale(x.contiguous(), by)\n"),
            (_BACKWARD, _ONCE_BACKWARD.replace("None\n", "None  # HERE\n")),
        ),
        edit(
            (_FORWARD, _KEEP + _FORWARD),
            (_BACKWARD, _ONCE_BACKWARD.replace(f"    @{_ONCE}\n", "").replace("grad):", "grad):  # HERE")),
        ),
        edit(*_IN_PLACE, (_FORWARD, "        ext.scale(x, by)  # HERE\n        return x.clone()\n")),
        edit((_FORWARD, "        x.mul_(by)  # HERE\n" + _FORWARD)),
        edit((_FORWARD, "        out, idx = ext.scale(x, by)\n        return out, idx.float()  # HERE\n")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        PASSED,
        edit(
            (_FORWARD, _KEEP + "        ctx.save_for_backward(x)\n        ctx.shape = x.shape\n" + _FORWARD)
        ),
        edit((_FORWARD, _KEEP + _FORWARD), (_BACKWARD, _ONCE_BACKWARD)),
        edit(
            (_CHECKED, ""),
            (_FORWARD, _KEEP + "        return ext.scale(x.contiguous(), by)\n"),
            (_BACKWARD, _ONCE_BACKWARD.replace("(grad, ctx", "(grad.contiguous(), ctx")),
        ),
        edit(
            *_IN_PLACE, (_FORWARD, "        ctx.mark_dirty(x)\n        ext.scale(x, by)\n        return x\n")
        ),
        edit((_FORWARD, "        out, idx = ext.scale(x, by)\n        return out, idx\n")),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for owner in file.classes:
            if not is_autograd_function(owner, file.imported):
                continue
            own = methods(owner)
            for name in ("forward", "setup_context"):
                if name in own:
                    yield from self._attributes(subject, own[name])
            if "forward" in own:
                yield from self._in_place(subject, own["forward"])
                yield from self._indices(subject, own["forward"])
            if "backward" in own:
                yield from self._gradients(subject, own["backward"])

    def _attributes(self, subject: Subject, function: PythonFunction) -> Verdicts:
        for node in walk(function):
            if not isinstance(node, ast.Assign):
                continue
            for target, value in _pairs(node):
                on_context = isinstance(target, ast.Attribute) and getattr(
                    target.value, "id", ""
                ) == _context(function)
                if on_context and isinstance(target, ast.Attribute) and _is_tensor(subject, function, value):
                    message = f"ctx.{target.attr} keeps a tensor as a plain attribute"
                    help = f"ctx.save_for_backward({ast.unparse(value)}), and ctx.saved_tensors in backward"
                    yield self.found(subject, subject.file.source.node_span(node), message, help=help)

    def _in_place(self, subject: Subject, forward: PythonFunction) -> Verdicts:
        if _names_dirty(forward):
            return
        help = "write to a new tensor, or call ctx.mark_dirty({0}) and return {0}"
        given = {a.arg for a in forward.args.args[1:]}
        for call in _calls_in(subject, forward):
            for position, argument in enumerate(call.placed()):
                name = getattr(argument, "id", "")
                if name in given and _written_in_place(subject, call.function, position):
                    message = f"{call.function} writes into {name}, and autograd is not told"
                    yield self.found(
                        subject, subject.file.source.node_span(call.call), message, help=help.format(name)
                    )
        for node in walk(forward):
            method = (
                node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            )
            if re.fullmatch(r"[a-z]\w*[a-z\d]_", method) and method not in ("requires_grad_", "retain_grad_"):
                assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                name = getattr(node.func.value, "id", "")
                if name in given and kind(subject.file, node.func.value) != "number":
                    message = f".{method}() changes {name} in place, and autograd is not told"
                    yield self.found(
                        subject, subject.file.source.node_span(node), message, help=help.format(name)
                    )

    def _indices(self, subject: Subject, forward: PythonFunction) -> Verdicts:
        if any(isinstance(n, ast.Attribute) and n.attr == "mark_non_differentiable" for n in walk(forward)):
            return
        for node in walk(forward):
            values = (
                node.value.elts if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) else ()
            )
            for value in values:
                name = _floated(value)
                if name and _INDICES.search(name):
                    message = f"{name} is given as floating-point numbers, and so gets a gradient"
                    help = f"give the integers, or call ctx.mark_non_differentiable({name})"
                    span = subject.file.source.node_span(value)
                    yield self.found(subject, span, message, help=help, confidence="medium")

    def _gradients(self, subject: Subject, backward: PythonFunction) -> Verdicts:
        file = subject.file
        gradients = {a.arg for a in backward.args.args[1:]} - set(_made_contiguous(backward))
        calls = [c for c in _calls_in(subject, backward) if c.through is None]
        for call in calls:
            for position, argument in enumerate(call.placed()):
                name = getattr(argument, "id", "")
                if name in gradients and _reads_densely(subject, call.function, position):
                    message = (
                        f"{call.function} reads {name} as if it were contiguous: a gradient may be expanded"
                    )
                    place = file.source.node_span(argument)
                    fix = Fix(place, f"{name}.contiguous()", safe=True)
                    yield self.found(subject, place, message, help=f"pass {name}.contiguous()", fix=fix)
        decorators = " ".join(ast.unparse(d) for d in backward.decorator_list)
        if calls and "once_differentiable" not in decorators:
            message = "the gradient of this gradient is lost without an error: a kernel has no graph"
            span = file.source.node_span(backward)
            at = file.source.bounds(backward)[0]
            indent = " " * backward.col_offset
            once = (
                Fix(file.source.span(at, at), f"@{_ONCE}\n{indent}", safe=True)
                if "torch" in file.imported
                else None
            )
            severity: Severity | None = None if subject.mode == "strict" else "info"
            yield self.found(subject, span, message, help=f"@{_ONCE}", fix=once, severity=severity)


def _context(function: PythonFunction) -> str:
    return function.args.args[0].arg if function.args.args else "ctx"


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        tuples = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        if tuples and isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _calls_in(subject: Subject, function: PythonFunction) -> list[ExtensionCall]:
    return [c for c in subject.file.handles.calls if function in c.holders]


def _is_tensor(subject: Subject, function: PythonFunction, value: ast.expr) -> bool:
    """Certain only where an exported function takes or gives it, or it is used as only tensors are."""
    if isinstance(value, ast.Call):
        return kind(subject.file, value) == "tensor"
    if not isinstance(value, ast.Name):
        return False
    file = subject.file
    local = [
        v for v in file.bound.get(value.id, ()) if file.enclosing(v) is function and isinstance(v, ast.Call)
    ]
    if any(
        file.handles.exported(v) is not None or kind(file, v) == "tensor"
        for v in local
        if isinstance(v, ast.Call)
    ):
        return True
    for call in _calls_in(subject, function):
        for position, argument in enumerate(call.placed()):
            if (
                getattr(argument, "id", "") == value.id
                and _param(subject, call.function, position) is not None
            ):
                return True
    used = [
        n for n in walk(function) if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") == value.id
    ]
    return any(n.attr in _OF_TENSORS for n in used)


def _param(subject: Subject, exported: str, position: int) -> tuple[Unit, Part, Function, Param] | None:
    """The tensor parameter at that position of an exported function."""
    for unit in subject.units:
        for each, part, function in unit.hosts():
            if (
                each.name == exported
                and position < len(function.params)
                and function.params[position].is_tensor
            ):
                return unit, part, function, function.params[position]
    return None


def _reads_densely(subject: Subject, exported: str, position: int) -> bool:
    found = _param(subject, exported, position)
    if found is None:
        return False
    unit, _, function, param = found
    return reads_pointer(unit, function, param.name) and not minds_layout(unit, function, param.name)


def _written_in_place(subject: Subject, exported: str, position: int) -> bool:
    """Whether a kernel writes into the very tensor that is passed there."""
    found = _param(subject, exported, position)
    if found is None:
        return False
    unit, _, function, param = found
    for launch in host.run([p.symbols for p in unit.parts], function).launches:
        kernel = unit.kernel(launch.kernel)
        for at, given in enumerate(launch.arguments):
            own = isinstance(given, Pointer) and given.tensor.param == param.name
            if (
                own
                and kernel is not None
                and at < len(kernel[1].params)
                and writes(kernel[1], kernel[1].params[at].name)
            ):
                return True
    return False


def _names_dirty(forward: PythonFunction) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "mark_dirty" for n in walk(forward))


def _made_contiguous(backward: PythonFunction) -> Iterator[str]:
    """Names that are given a contiguous tensor, or one that was computed."""
    for node in walk(backward):
        if isinstance(node, ast.Assign):
            for target, value in _pairs(node):
                if isinstance(target, ast.Name) and not isinstance(value, ast.Name):
                    yield target.id


def _floated(value: ast.expr) -> str:
    """`idx.float()` and `idx.to(torch.float32)`: the name idx."""
    call = value if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else None
    if call is None or not isinstance(call.func, ast.Attribute):
        return ""
    to_float = call.func.attr in ("float", "double") or (
        call.func.attr == "to" and "float" in ast.unparse(call)
    )
    return getattr(call.func.value, "id", "") if to_float else ""
