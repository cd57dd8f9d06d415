"""CS403."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudasmith.cuda.symbols import Call, Function, Variable
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._dispatch import ELEMENTS, around, dispatched, given_type
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit
from cudasmith.rules._tensor_use import aliases, base, dense_copies, minds_dtype
from cudasmith.source.inputs import DTYPES, declared_inputs, forward_parameter

_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_PLAIN = (_CHECKED, "  x = x.contiguous();\n")
_INPUTS = "\n\ndef get_inputs():\n    return [torch.randn(4, 4{})]\n"
_HALF_INPUTS = _INPUTS.format(", dtype=torch.half")
_POINTER = "      x.data_ptr<float>(), out"
_FLOATING = '  AT_DISPATCH_{}(x.scalar_type(), "s", [&] {{ run(x.data_ptr<scalar_t>()); }});{}\n'
_SUM = "__global__ void sum(const half* x, half* y, int n) {{\n  {} a = x[0];\n  for (int i = 1; i < n; ++i) {}{}\n}}\n"
_T_SUM = (
    "template <typename T>\n__global__ void sum(const T* x, T* y, int n) {{\n  T a = 0;\n"
    "  for (int i = 1; i < n; ++i) a += x[i];{}\n  y[0] = a;\n}}\n\n"
)
_LAUNCH = '  AT_DISPATCH_{}(x.scalar_type(), "s", [&] {{ sum<scalar_t><<<1, 1>>>(a, b, 1); }});\n'

_LOW = (
    *("half", "__half", "half2", "__half2", "at::Half", "c10::Half", "at::BFloat16", "c10::BFloat16"),
    *("__nv_bfloat16", "nv_bfloat16", "__nv_bfloat162", "nv_bfloat162"),
)
_ADDS = ("__hadd", "__hadd2", "__hfma", "__hfma2", "__hadd_rn", "hadd")


_OPTIONS = "x.options()"
_OUT = "out.data_ptr<float>(), by"
_ELEMENTS_AND_CUDA = {**ELEMENTS, "half": "half", "__half": "half", "__nv_bfloat16": "bfloat16"}
_FLOATS = ("float", "double", "half", "bfloat16")
_ALLOCATED = re.compile(r"(?:torch|at)::(?:empty|zeros|ones|full|randn?)(?:_like)?\(")
_NAMED = re.compile(r"\b(?:torch|at|c10)::k([A-Z]\w*\d*)(?<!CUDA)(?<!CPU)\b")
_ASKED = re.compile(r"(\w+)\.(?:scalar_type|dtype)\(\)\s*==\s*(?:torch|at|c10)::(?:ScalarType::)?k?(\w+)")


class Dtype(Rule):
    """Kernels get the element type that they read, for the dtypes the model is called with, and sum in float.

    Typed access, `x.data_ptr<float>()`, raises for a tensor of another dtype, which is a check. `(float*)x.data_ptr()` reads
    any bytes as floats: check scalar_type() before. Where get_inputs tells the dtype, data_ptr<T> and
    AT_DISPATCH are compared with it: AT_DISPATCH_FLOATING_TYPES covers float and double, not half. An
    accumulator of half or bfloat16 stops growing at 2048 or 256 times its addend; accumulate in float. A
    tensor that the host function allocates or checks as one dtype is not read as another, and a pointer is not
    cast from one floating type to another. A warning, but an error where the file's own inputs are refused.
    """

    code = "CS403"
    name = "dtype"
    severity = severities("warning", "warning")
    BAD = (
        edit(_PLAIN, (_POINTER, "      (float*)x.data_ptr(),  // HERE\n out")),
        edit(_PLAIN, (_POINTER, "      x.data_ptr<float>(),  // HERE\n out")) + _HALF_INPUTS,
        edit((_CHECKED, _FLOATING.format("FLOATING_TYPES", "  // HERE")), (_POINTER, "out")) + _HALF_INPUTS,
        edit(
            (
                "__global__ void",
                _SUM.format("half", "a = __hadd(a, x[i]);  // HERE", "\n  y[0] = a;") + "__global__ void",
            )
        ),
        edit(
            (
                "__global__ void",
                _SUM.format(
                    "half",
                    "{ half b = x[i]; for (int k = 0; k < 9; ++k) b = __hadd(b, x[k]); }  // HERE",
                    "\n  y[0] = a;",
                )
                + "__global__ void",
            )
        ),
        edit(
            ("__global__ void scale", _T_SUM.format("  // HERE") + "__global__ void scale"),
            (_CHECKED, _CHECKED + _LAUNCH.format("FLOATING_TYPES_AND_HALF")),
        ),
        edit((_OPTIONS, "x.options().dtype(torch::kHalf)"), (_OUT, "out.data_ptr<float>(),  // HERE\n by")),
        edit(
            (_OPTIONS, "torch::dtype(at::kInt).device(x.device())"),
            (_OUT, "(float*)out.data_ptr(),  // HERE\n by"),
        ),
        edit(
            (_CHECKED, "  TORCH_CHECK(x.scalar_type() == torch::kHalf);\n"),
            (_POINTER, "      x.data_ptr<float>(),  // HERE\n out"),
        ),
        edit((_POINTER, "      reinterpret_cast<const float*>(x.data_ptr<at::Half>()),  // HERE\n out")),
    )
    GOOD = (
        CORRECT,
        edit((_OPTIONS, "x.options().dtype(torch::kFloat)")),
        edit(
            (_OPTIONS, "x.options().dtype(torch::kHalf)"),
            (_OUT, "out.to(torch::kFloat).data_ptr<float>(), by"),
        ),
        edit((_POINTER, "      (const float*)(reinterpret_cast<const float4*>(x.data_ptr<float>())), out")),
        edit((_POINTER, "      (const float*)reinterpret_cast<const __half*>(x.data_ptr<at::Half>()), out")),
        edit(
            (
                _CHECKED,
                "  TORCH_CHECK(x.scalar_type() == torch::kHalf || x.scalar_type() == torch::kFloat);\n",
            ),
        ),
        DECLARED,
        edit(_PLAIN),
        edit(_PLAIN) + _INPUTS.format(""),
        edit((_POINTER, "      (float*)x.data_ptr(), out")),
        edit(_PLAIN, (_POINTER, "      copy(x.data_ptr(), x.nbytes()), out")),
        edit(_PLAIN, (_POINTER, "      (float*)x.to(torch::kFloat).data_ptr(), out")),
        edit((_CHECKED, _FLOATING.format("FLOATING_TYPES_AND_HALF", "")), (_POINTER, "out")) + _HALF_INPUTS,
        edit((_CHECKED, _FLOATING.format("FLOATING_TYPES", "")), (_POINTER, "out")) + _INPUTS.format(""),
        edit(("__global__ void", _SUM.format("float", "a += __half2float(x[i]);", "") + "__global__ void")),
        edit(("__global__ void", _SUM.format("half", "a = __hmax(a, x[i]);", "") + "__global__ void")),
        edit(  # one addition in each pass
            (
                "__global__ void",
                _SUM.format("half", "{ half b = x[i]; b = __hadd(b, a); }", "") + "__global__ void",
            )
        ),
        edit(
            ("__global__ void scale", _T_SUM.format("") + "__global__ void scale"),
            (_CHECKED, _CHECKED + _LAUNCH.format("FLOATING_TYPES")),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for exported, part, function in unit.hosts():
                for index, param in enumerate(function.params):
                    if param.is_tensor:
                        dtype = _declared(subject, exported.name, index)
                        yield from self._tensor(subject, unit, part, function, param.name, dtype)
            for part in unit.parts:
                for kernel in part.symbols.functions:
                    if not kernel.is_host and kernel.is_definition:
                        yield from self._sums(subject, part, kernel)
                    elif kernel.is_definition:
                        yield from self._pointers(subject, part, kernel)

    def _tensor(
        self, subject: Subject, unit: Unit, part: Part, function: Function, name: str, dtype: str | None
    ) -> Verdicts:
        names = aliases(function, name) | dense_copies(unit, function, name)
        minded = minds_dtype(unit, function, name)
        for call in function.calls:
            span = part.span(call.start, call.end)
            covered = dispatched(call)
            if covered is not None and dtype and base(given_type(call)) in names and dtype not in covered:
                message = f"get_inputs gives {name} as {dtype}, which {call.name} does not cover"
                help = "use a form that does, such as AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, ...)"
                yield self.found(subject, span, message, help=help, severity="error")
            if (
                call.receiver is None
                or call.receiver not in names
                or minded
                or not call.name.endswith("data_ptr")
            ):
                continue
            read = ELEMENTS.get(call.template.removeprefix("const "))
            if not call.template and call.cast.endswith("*") and "void" not in call.cast:
                message = f"{name} is read as one element type, whatever its dtype is"
                help = f"use {call.name}<T>(), which checks, or TORCH_CHECK({name}.scalar_type() == ...)"
                yield self.found(subject, span, message, help=help)
            elif dtype and read and read != dtype:
                message = f"get_inputs gives {name} as {dtype}, and {call.name}<{call.template}>() refuses it"
                yield self.found(
                    subject, span, message, help="read the dtype that is given", severity="error"
                )

    def _pointers(self, subject: Subject, part: Part, host: Function) -> Verdicts:
        """Where a pointer's element type is not that of the tensor, which the function itself says."""
        said = _said(host)
        for call in host.calls:
            if call.receiver is None or not call.name.endswith("data_ptr"):
                continue
            span = part.span(call.start, call.end)
            read = ELEMENTS.get(call.template.removeprefix("const "))
            cast = _ELEMENTS_AND_CUDA.get(call.cast.removeprefix("const ").rstrip("* "))
            dtype = said.get(call.receiver)
            if dtype and (read or (cast if not call.template else None) or dtype) != dtype:
                message = f"{call.receiver} is {dtype} here, and {call.name} reads it as {read or cast}"
                yield self.found(subject, span, message, help=f"use {call.name} of the dtype that it has")
            elif read in _FLOATS and cast in _FLOATS and read != cast:
                message = f"a pointer to {read} is taken for one to {cast}"
                help = "convert the tensor, or let the kernel read the type that is there"
                yield self.found(subject, span, message, help=help, confidence="medium")

    def _sums(self, subject: Subject, part: Part, kernel: Function) -> Verdicts:
        types = _low_types(part, kernel)
        low = {v.name for v in kernel.variables if v.type in types and not v.pointer}
        low -= {v.name for v in kernel.variables if v.type and v.type not in types}
        for variable in kernel.variables:
            sums = not variable.type and variable.in_loop and variable.name in low and _adds(kernel, variable)
            if sums and not _begins_anew(kernel, variable):
                span = part.span(variable.start, variable.end)
                message = f"{variable.name} adds up in half precision, and stops growing early"
                help = "accumulate in float, and convert once at the end"
                yield self.found(subject, span, message, help=help, confidence="medium")


def _said(host: Function) -> dict[str, str]:
    """Tensors whose one dtype the function tells by allocating or checking them -> the C++ type."""
    found: dict[str, set[str | None]] = {}
    for variable in host.variables:
        if re.fullmatch(r"\w+", variable.name):
            made = _ALLOCATED.match(variable.value)
            named = _NAMED.findall(variable.value) if made else []
            found.setdefault(variable.name, set()).add(
                DTYPES.get(named[0].lower()) if len(named) == 1 else None
            )
    for call in host.calls:
        if call.callee == "TORCH_CHECK" and call.arguments and (asked := _ASKED.fullmatch(call.arguments[0])):
            found.setdefault(asked[1], set()).add(DTYPES.get(asked[2].lower()))
    return {n: t for n, types in found.items() if len(types) == 1 and (t := next(iter(types))) is not None}


def _declared(subject: Subject, exported: str, index: int) -> str | None:
    """The dtype of the input of get_inputs that reaches a parameter in every call of the file."""
    inputs = declared_inputs(subject.file)
    found: set[str | None] = set()
    for call in subject.file.handles.calls:
        if call.function == exported:
            at = (
                forward_parameter(subject.file, call.arguments[index])
                if index < len(call.arguments)
                else None
            )
            found.add(inputs[at].dtype if at is not None and at < len(inputs) else None)
    return found.pop() if len(found) == 1 else None


def _low_types(part: Part, kernel: Function) -> frozenset[str]:
    """Type names that are half or bfloat16 in the kernel, template parameters that a dispatch makes so included."""
    params = re.findall(r"(?:typename|class)\s+(\w+)", kernel.template)
    low = {"half", "bfloat16"} & set(_instances(part, kernel))
    return frozenset([*_LOW, *(params[:1] if low else [])])


def _instances(part: Part, kernel: Function) -> Iterator[str]:
    """Element types that the launches give for the first template parameter, each as it is named or as a dispatch makes it."""
    for function, launch in part.symbols.launched(kernel.name):
        named = ELEMENTS.get(launch.template.split(",")[0].strip())
        holder = around(function, launch.start)
        yield from [named] if named else (dispatched(holder) or ()) if holder is not None else ()


def _adds(kernel: Function, variable: Variable) -> bool:
    """`a += x`, `a = a + x`, `a = __hadd(a, x)`"""
    if variable.operator == "+=":
        return True
    if variable.operator != "=":
        return False
    name = variable.name
    within = [c for c in kernel.calls if variable.start <= c.start < c.end <= variable.end]
    called = any(_is_addition(c) and name in c.arguments for c in within)
    return called or any(
        o.operator == "+" and name in (o.left, o.right) and variable.start <= o.start < variable.end
        for o in kernel.operations
    )


def _begins_anew(kernel: Function, variable: Variable) -> bool:
    """Whether each pass of the loop around the addition declares the variable: it is added to once, and sums nothing."""
    loops = [s for s in kernel.body.walk() if s.kind == "loop"] if kernel.body is not None else []
    bodies = [b for s in loops for b in s.bodies if b.start <= variable.start < b.end]
    inner = min(bodies, key=lambda b: b.end - b.start, default=None)
    declared = [v for v in kernel.variables if v.name == variable.name and v.type]
    return inner is not None and any(inner.start <= v.start < inner.end for v in declared)


def _is_addition(call: Call) -> bool:
    return call.receiver is None and call.name in _ADDS
