"""CS413."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import attrs

from cudasmith.cuda.symbols import Function, Launch
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Part, Subject, Unit
from cudasmith.rules._tensor_use import MAX_DEPTH, base, same_memory
from cudasmith.source.inputs import forward_parameter
from cudasmith.source.names import methods, walk

_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_KERNEL = "scale_thread_per_element(const float* x,"
_OPEN = (_KERNEL, "scale_thread_per_element(float* x,")
_LAUNCH = "c10::cuda::getCurrentCUDAStream()>>>("
_MARKED = (_LAUNCH, _LAUNCH + "  // HERE")
_CALL = "ext.scale(x, by)"
_REFERENCE = "class Model(nn.Module):\n    def forward(self, x):\n        return {}\n\n\n"
_ONE_CAST = r"(?:reinterpret|static|const)_cast<[^<>()]*>|\([\w:\s]+\*+\s*\)"
_CAST = re.compile(rf"^(?:{_ONE_CAST}|[\s(*&])*")


@attrs.frozen
class _Write:
    """A launch whose kernel writes through the pointer of a tensor."""

    part: Part
    launch: Launch
    kernel: Function


class InputsKept(Rule):
    """No kernel writes into a tensor that forward was given, unless the reference changes it too.

    The caller still holds its input, and a reference that runs afterwards reads what the kernel left:
    the comparison then agrees although the model is wrong. Followed are pointers from the tensor of
    forward through the binding to the kernel's stores and atomics. In-place operators of the reference,
    ctx.mark_dirty and, in a file without reference, a name such as `relu_` or `relu_inplace` tell that it
    is meant. Write into a new tensor.
    """

    code = "CS413"
    name = "inputs-kept"
    severity = severities("warning", "warning")
    BAD = (
        edit(_OPEN, (_STORE, "  if (i < n) x[i] = x[i] * by;\n"), _MARKED),
        edit(_OPEN, (_STORE, "  float* p = x + 1;\n  if (i < n) atomicAdd(&p[i], by);\n"), _MARKED),
        edit(_OPEN, (_STORE, "  reinterpret_cast<float4*>(x)[i] = make_float4(by, by, by, by);\n"), _MARKED),
        edit((_STORE, "  if (i < n) const_cast<float*>(x)[i] = by;\n"), _MARKED),
        edit((_STORE, "  float* p = (float*)x;\n  if (i < n) p[i] = by;\n"), _MARKED),
        edit((_STORE, "  if (i < n) ((float*)x)[i] = by;\n"), _MARKED),
        edit(
            _OPEN,
            (_STORE, "  if (i < n) x[i] = by;\n"),
            _MARKED,
            ("x.data_ptr<float>(),", "const_cast<float*>(x.const_data_ptr<float>()),"),
        ),
        edit(
            _OPEN,
            (_STORE, "  if (i < n) x[i] = by;\n"),
            _MARKED,
            ("x.data_ptr<float>(),", "(float*)x.data_ptr(),"),
        ),
        _REFERENCE.format("torch.relu(x)")
        + edit(
            _OPEN,
            (_STORE, "  if (i < n) x[i] *= by;\n"),
            _MARKED,
            ('m.def("scale"', 'm.def("scale_"'),
            ("ext.scale(", "ext.scale_("),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_STORE, "  const float* p = x;\n  float v[1];\n  v[0] = ((const float*)p)[i];\n" + _STORE)),
        edit(_OPEN, (_STORE, "  float v = x[i];\n  v = 2;\n  x = x + 1;\n" + _STORE)),
        edit(_OPEN, (_STORE, "  if (i < n) x[i] = by;\n"), (_CALL, "ext.scale(torch.empty_like(x), by)")),
        edit(
            _OPEN,
            (_STORE, "  if (i < n) x[i] = by;\n"),
            ('  x = checked(x, torch::kFloat, "x");\n', "  x = x.clone();\n"),
        ),
        edit(
            _OPEN,
            (_STORE, "  if (i < n) x[i] *= by;\n"),
            ('m.def("scale"', 'm.def("scale_"'),
            ("ext.scale(", "ext.scale_("),
        ),
        _REFERENCE.format("x.mul_(2)") + edit(_OPEN, (_STORE, "  if (i < n) x[i] *= by;\n")),
        edit(_OPEN, (_STORE, "  if (i < n) x[i] *= by;\n"), (_CALL, "ctx.mark_dirty(x) or " + _CALL)),
    )

    def check(self, subject: Subject) -> Verdicts:
        if _reference_writes(subject) or _marked_dirty(subject):
            return
        for unit in subject.units:
            for exported, part, function in unit.hosts():
                if subject.file.named("Model") or not _says_so(exported):
                    yield from self._host(subject, unit, exported, part, function)

    def _host(
        self, subject: Subject, unit: Unit, exported: Exported, part: Part, function: Function
    ) -> Verdicts:
        for index, param in enumerate(function.params):
            write = next(_writes(unit, part, function, param.name), None) if param.is_tensor else None
            if write is None or not _is_input(subject, exported, index):
                continue
            where = write.part.name_span(write.kernel)
            yield self.found(
                subject,
                write.part.span(write.launch.start, write.launch.end),
                f"{write.kernel.name} writes into {param.name}, which forward was given",
                notes=(f"the kernel stands in line {where.line}",),
                help="allocate an output and write there",
                confidence="medium",
            )


def _writes(unit: Unit, part: Part, function: Function, param: str, depth: int = 0) -> Iterator[_Write]:
    """Launches, here and in helpers of the file, that write through the tensor's pointer."""
    names = same_memory(unit, function, param)
    pointers = {v.name for v in function.variables if _points_to(v.value, names)}
    for launch in function.launches:
        for kernel in part.symbols.kernels:
            if kernel.name != launch.kernel:
                continue
            written = _written(kernel)
            for at, argument in enumerate(launch.arguments[: len(kernel.params)]):
                given = _points_to(argument, names) or _CAST.sub("", argument).strip(") ") in pointers
                if given and kernel.params[at].name in written:
                    yield _Write(part, launch, kernel)
    for call in function.calls:
        helper = unit.definition(call.name) if call.receiver is None and depth < MAX_DEPTH else None
        for at, argument in enumerate(call.arguments):
            if helper is not None and argument in names and at < len(helper[1].params):
                yield from _writes(unit, *helper, helper[1].params[at].name, depth + 1)


def _points_to(text: str, names: frozenset[str]) -> bool:
    """`x.data_ptr<float>()` and its forms, casts aside."""
    found = re.match(r"(\w+)\s*(?:\.|->)\s*(?:mutable_|const_)?data(?:_ptr)?\b", _CAST.sub("", text))
    return bool(found) and found[1] in names  # type: ignore[index]


def _written(kernel: Function) -> frozenset[str]:
    """Pointer parameters that a kernel stores through, itself or by pointers made of them."""
    owner = {p.name: p.name for p in kernel.params if p.is_pointer and not p.type.startswith("const ")}
    closed = {p.name for p in kernel.params if p.is_pointer} - owner.keys()  # unless the const is cast away
    for variable in kernel.variables:
        source = owner.get(_target(variable.value))
        if source is None and variable.type and _target(variable.value) in closed:
            opened = variable.pointer and "const" not in variable.type.split()
            source = _target(variable.value) if opened or "const_cast<" in variable.value else None
        if (
            variable.type
            and source
            and (variable.pointer or (variable.type == "auto" and "[" not in variable.value))
        ):
            owner[variable.name] = source
    stores = [
        v.name for v in kernel.variables if not v.type and ("[" in v.name or v.name.startswith(("*", "(*")))
    ]
    stores += [c.arguments[0] for c in kernel.calls if c.name.startswith("atomic") and c.arguments]
    cast = {_target(s) for s in stores if re.match(rf"[\s(*&]*(?:{_ONE_CAST})", s)}
    return frozenset({owner[_target(s)] for s in stores if _target(s) in owner} | (closed & cast))


def _target(text: str) -> str:
    return base(_CAST.sub("", text))


def _is_input(subject: Subject, exported: Exported, index: int) -> bool:
    """Whether a call in the file gives a tensor of forward there, which is not called an output."""
    file = subject.file
    for call in file.handles.calls:
        if call.function != exported.name or index >= len(call.arguments) or file.forward is None:
            continue
        at = forward_parameter(file, call.arguments[index])
        params = file.forward.args.args
        if (
            at is not None
            and at + 1 < len(params)
            and not params[at + 1].arg.startswith(("out", "dst", "result"))
        ):
            return True
    return False


def _says_so(exported: Exported) -> bool:
    names = (exported.name, exported.target or "")
    return any(n.endswith("_") or "inplace" in n.lower() or "in_place" in n.lower() for n in names)


def _reference_writes(subject: Subject) -> bool:
    """Whether the reference in the file works in place: `relu_()`, inplace=True, `x[...] = ...`, `x += ...`."""
    for model in subject.file.named("Model"):
        for node in walk(model):
            if isinstance(node, ast.keyword) and node.arg == "inplace" and ast.unparse(node.value) == "True":
                return True
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name.endswith("_") and not name.endswith("__") and name != "requires_grad_":
                    return True
        forward = methods(model).get("forward")
        for node in walk(forward) if forward is not None else ():
            stores = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            if stores or isinstance(node, ast.AugAssign):
                return True
    return False


def _marked_dirty(subject: Subject) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "mark_dirty" for n in subject.file.nodes)
