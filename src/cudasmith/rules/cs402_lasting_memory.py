"""CS402."""

from __future__ import annotations

from cudasmith.cuda.symbols import Call, Function, Variable
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Exported, Part, Subject, Unit
from cudasmith.rules._tensor_use import (
    asserts_dense,
    dense_copies,
    made_in_python,
    minds_layout,
    reads_pointer,
)
from cudasmith.source.inputs import declared_inputs, forward_parameter

_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_EMPTY = "torch::empty(x.sizes(), x.options())"
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"
_INPUT = (_HEAD, "torch::Tensor scale(torch::Tensor x_in, double by) {\n  auto x = x_in.contiguous();")
_POINTER = ("x.data_ptr<float>(), out", "p, out")
_COPIES = (
    "contiguous",
    "to",
    "float",
    "half",
    "toType",
    "reshape",
)  # the tensor itself where nothing is to be done
_NEW = ("clone", "empty", "zeros", "empty_like", "zeros_like", "full", "cat", "stack")
_LIKE = ("empty_like", "zeros_like", "ones_like", "full_like")


class LastingMemory(Rule):
    """A pointer's memory outlives the pointer, and an output has the layout that the kernel writes.

    `const float* p = x.contiguous().data_ptr<float>();` points into a tensor that is gone at the semicolon when
    x was not contiguous: its memory goes back to the allocator, and the next tensor gets it. Bind the
    tensor to a name first. As an argument of the launch itself the temporary lives long enough.
    torch::empty_like and zeros_like take over the strides of their tensor: made of the original while the
    kernel reads the contiguous copy, the output is written in another order than it is read. Make it of the
    copy. An error where get_inputs has strided tensors, and in strict mode; else a warning.
    """

    code = "CS402"
    name = "lasting-memory"
    severity = severities("error", "warning")
    BAD = (
        edit((_CHECKED, "  const float* p = x.contiguous().data_ptr<float>();  // HERE\n"), _POINTER),
        edit((_CHECKED, "  auto p = (const float*)x.contiguous().data_ptr();  // HERE\n"), _POINTER),
        edit((_CHECKED, "  float* p;\n  p = torch::empty({n}).data_ptr<float>();  // HERE\n"), _POINTER),
        edit(_INPUT, (_CHECKED, ""), (_EMPTY + ";", "torch::empty_like(x_in);  // HERE")),
        edit(
            (_HEAD, "torch::Tensor scale(torch::Tensor x_in, double by) {"),
            (_CHECKED, '  auto x = checked(x_in, torch::kFloat, "x");\n'),
            (_EMPTY + ";", "at::zeros_like(x_in);  // HERE"),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_EMPTY, "torch::empty_like(x)")),
        edit(("x.data_ptr<float>(), out", "x.contiguous().data_ptr<float>(), out")),
        edit((_CHECKED, "  auto y = x.contiguous();\n  const float* p = y.data_ptr<float>();\n"), _POINTER),
        edit((_CHECKED, _CHECKED + "  const float* p = x.view(-1).data_ptr<float>();\n"), _POINTER),
        edit((_CHECKED, _CHECKED + "  const float* p = x.contiguous().data_ptr<float>();\n"), _POINTER),
        edit(_INPUT, (_CHECKED, ""), (_EMPTY, "torch::empty_like(x_in, at::MemoryFormat::Contiguous)")),
        edit(
            _INPUT, (_CHECKED, "  TORCH_CHECK(x_in.is_contiguous());\n"), (_EMPTY, "torch::empty_like(x_in)")
        ),
        edit(
            _INPUT,
            (_CHECKED, ""),
            (_EMPTY, "torch::empty_like(x_in)"),
            ("ext.scale(x, by)", "ext.scale(x.contiguous(), by)"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit, part in subject.parts():
            for function in part.symbols.functions:
                if function.is_host:
                    for variable in function.variables:
                        yield from self._pointer(subject, unit, part, function, variable)
        for unit in subject.units:
            for exported, part, function in unit.hosts():
                for index, param in enumerate(function.params):
                    if param.is_tensor and not made_in_python(subject, exported.name, index):
                        yield from self._output(subject, unit, exported, part, function, index)

    def _pointer(
        self, subject: Subject, unit: Unit, part: Part, function: Function, variable: Variable
    ) -> Verdicts:
        taken = _taken_pointer(function, variable)
        made = _receiver(function, taken) if taken is not None else None
        if taken is None or made is None or made.name not in (*_COPIES, *_NEW):
            return
        dense = asserts_dense(unit, function, made.receiver or "") or made.receiver in dense_copies(
            unit, function, made.receiver or ""
        )
        if made.name in ("contiguous", "reshape") and dense:
            return
        always = made.name in _NEW
        message = f"{variable.name} points into a tensor that is gone after this statement"
        if not always:
            message += f", unless {made.name}() had nothing to do"
        yield self.found(
            subject,
            part.span(taken.start, taken.end),
            message,
            help=f"bind the tensor to a name: auto t = ...; and use t.{taken.name} below",
            severity="error" if always or _strided(subject) else None,
        )

    def _output(
        self, subject: Subject, unit: Unit, exported: Exported, part: Part, function: Function, index: int
    ) -> Verdicts:
        name = function.params[index].name
        copies = dense_copies(unit, function, name)
        read = sorted(c for c in copies - {name} if reads_pointer(unit, function, c))
        if not read or name in copies or asserts_dense(unit, function, name):
            return
        for variable in function.variables:
            for call in function.calls:
                if call.start != variable.start or call.end != variable.end or call.name not in _LIKE:
                    continue
                kept = not any("emoryFormat" in a or "emory_format" in a for a in call.arguments)
                written = reads_pointer(unit, function, variable.name)
                if (
                    call.arguments[:1] == (name,)
                    and kept
                    and written
                    and not minds_layout(unit, function, variable.name)
                ):
                    strided = _strided(subject, exported.name, index)
                    yield self.found(
                        subject,
                        part.span(call.start, call.end),
                        f"{variable.name} gets the strides of {name}, while the kernel reads the contiguous {read[0]}",
                        help=f"make it of {read[0]}",
                        severity="error" if strided else None,
                    )


def _taken_pointer(function: Function, variable: Variable) -> Call | None:
    """The data_ptr call whose result is the value of a pointer variable, casts aside."""
    if not variable.pointer and variable.type not in ("", "auto"):
        return None
    for call in function.calls:
        whole = (call.cast_start, call.cast_end) == (variable.start, variable.end)
        if whole and call.receiver is not None and call.name.endswith("data_ptr"):
            return call
    return None


def _receiver(function: Function, call: Call) -> Call | None:
    """The call that made what another call is made on: x.contiguous() of x.contiguous().data_ptr()."""
    inner = [c for c in function.calls if c.start == call.start and c.end < call.name_start]
    return max(inner, key=lambda c: c.end) if inner else None


def _strided(subject: Subject, exported: str | None = None, index: int = 0) -> bool:
    """Whether get_inputs gives a strided tensor: any, or the one that reaches a parameter of an exported function."""
    inputs = declared_inputs(subject.file)
    if exported is None:
        return any(i.strided for i in inputs)
    for call in subject.file.handles.calls:
        if call.function == exported and index < len(call.arguments):
            at = forward_parameter(subject.file, call.arguments[index])
            if at is not None and at < len(inputs) and inputs[at].strided:
                return True
    return False
