"""CS305."""

from __future__ import annotations

from cudasmith.cuda.symbols import Call, Function
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject
from cudasmith.rules._tensor_use import base

_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_POINTER = "      x.data_ptr<float>(), out"
_FLOATING = '  AT_DISPATCH_FLOATING_TYPES(x.{}, "scale", [&] {{ using t = scalar_t; }});{}\n'
_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"

# Names that PyTorch or CUDA no longer has, with what took their place. Source: PyTorch 2.13's headers, CUDA 13.
REMOVED = {
    "AT_CHECK": "TORCH_CHECK",
    "THCudaCheck": "C10_CUDA_CHECK",
    "THCCeilDiv": "at::ceil_div",
    "THCState": "",
    "THCState_getCurrentStream": "c10::cuda::getCurrentCUDAStream",
    "getTHCState": "",
    "AT_DISPATCH_ALL_TYPES_AND_HALF": "AT_DISPATCH_ALL_TYPES_AND",
    "cudaThreadSynchronize": "cudaDeviceSynchronize",
}
_SAME_ARGUMENTS = ("AT_CHECK", "THCudaCheck", "THCCeilDiv", "cudaThreadSynchronize")
SHUFFLES = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all")
_LONG = ("long", "long int")


class OldApi(Rule):
    """Nothing is used that PyTorch or CUDA removed, and nothing that is deprecated or means another type elsewhere.

    An error, for it does not compile: AT_CHECK, the names and headers of THC, `x.type()` given to AT_DISPATCH, warp
    shuffles and votes without `_sync`. A warning: `x.type()` elsewhere, `x.data<T>()`, and data_ptr<long>,
    which is int64_t on Linux only. The fix writes what took its place.
    """

    code = "CS305"
    name = "old-api"
    severity = severities("error", "error")
    BAD = (
        edit((_CHECKED, _CHECKED + '  AT_CHECK(x.dim() > 0, "x");  // HERE\n')),
        edit((_CHECKED, _CHECKED + _FLOATING.format("type()", "  // HERE"))),
        edit((_CHECKED, _CHECKED + "  TORCH_CHECK(x.type().is_cuda());  // HERE\n")),
        edit((_POINTER, "      x.data<float>(),  // HERE\n out")),
        edit((_CHECKED, _CHECKED + "  const long* at = x.data_ptr<long>();  // HERE\n")),
        edit((_STORE, _STORE + "  by = __shfl_down(by, 1);  // HERE\n")),
        edit(("#include <torch/types.h>\n", "#include <torch/types.h>\n#include <THC/THC.h>  // HERE\n")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_CHECKED, _CHECKED + _FLOATING.format("scalar_type()", ""))),
        edit(
            (
                _STORE,
                _STORE + "  by = __shfl_down_sync(0xffffffffu, by, 1);  // once AT_CHECK, x.data<float>()\n",
            )
        ),
        edit((_CHECKED, _CHECKED + "  std::vector<long> v(4);\n  const long* p = v.data();\n")),
        edit(
            ("__global__ void", "#define AT_CHECK TORCH_CHECK\n__global__ void"),
            (_CHECKED, _CHECKED + "  AT_CHECK(n);\n"),
        ),
        edit((_CHECKED, _CHECKED + "  at::Scalar s = by;\n  TORCH_CHECK(s.type() == at::kDouble);\n")),
        edit((_CHECKED, _CHECKED + "  const int64_t* at = x.data_ptr<int64_t>();\n")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            symbols = part.symbols
            for header, (start, end) in symbols.include_places.items():
                if header.startswith(("THC/", "TH/")):
                    message = f"{header} is gone from PyTorch"
                    yield self.found(
                        subject, part.span(start, end), message, help="include what the names used need"
                    )
            own = set(symbols.macros) | {f.name for f in symbols.functions}
            for name in sorted((set(REMOVED) | set(SHUFFLES)) & set(symbols.words) - own):
                yield from self._removed(subject, part, name)
            for function in symbols.functions:
                for call in function.calls:
                    yield from self._call(subject, part, function, call)

    def _removed(self, subject: Subject, part: Part, name: str) -> Verdicts:
        at = part.symbols.words[name]
        span = part.span(at, at + len(name)) if at else part.build.span  # 0: only in a macro
        if name in SHUFFLES:
            help = f"use {name}_sync with the mask of the lanes, 0xffffffffu for all"
            yield self.found(subject, span, f"{name} was removed from CUDA", help=help)
            return
        better = REMOVED[name]
        exact = part.region.span(at, at + len(name)) if at and name in _SAME_ARGUMENTS else None
        fix = Fix(exact, better, safe=True) if exact else None
        help = f"use {better}" if better else "remove it: there is no such state any more"
        yield self.found(subject, span, f"{name} was removed from PyTorch or CUDA", help=help, fix=fix)

    def _call(self, subject: Subject, part: Part, function: Function, call: Call) -> Verdicts:
        name = part.region.span(call.name_start, call.name_end)
        if call.receiver is None:
            return
        span = part.span(call.name_start, call.name_end)
        if call.name == "type" and not call.arguments and base(call.receiver) in _tensors(function):
            direct = _given_to_dispatch(function, call)
            fix = Fix(name, "scalar_type", safe=True) if direct and name else None
            message = (
                "AT_DISPATCH takes a scalar type, and type() gives none" if direct else "type() is deprecated"
            )
            help = (
                "use scalar_type()"
                if direct
                else "ask the tensor itself: is_cuda(), scalar_type(), options()"
            )
            yield self.found(
                subject, span, message, help=help, fix=fix, severity=None if direct else "warning"
            )
        elif call.name == "data" and call.template:
            fix = Fix(name, f"data_ptr<{call.template}>", safe=True) if name else None
            message, help = f"data<{call.template}>() is deprecated", f"use data_ptr<{call.template}>()"
            yield self.found(subject, span, message, help=help, fix=fix, severity="warning")
        elif call.name.endswith("data_ptr") and call.template.removeprefix("const ") in _LONG:
            better = f"{call.name}<{call.template.replace('long int', 'long').replace('long', 'int64_t')}>"
            fix = Fix(name, better, safe=True) if name else None
            message = f"{call.name}<{call.template}> links on Linux only: long is not int64_t elsewhere"
            yield self.found(subject, span, message, help=f"use {better}()", fix=fix, severity="warning")


def _tensors(function: Function) -> set[str]:
    """Names that are tensors, or may be: a c10::Scalar has a type() of its own."""
    declared = {v.name for v in function.variables if "Tensor" in v.type or v.type == "auto"}
    return declared | {p.name for p in function.params if "Tensor" in p.type}


def _given_to_dispatch(function: Function, call: Call) -> bool:
    """Whether the type itself is what a dispatch is given: not `x.type().is_cuda()`, not something in its lambda."""
    return any(
        c.name.startswith("AT_DISPATCH_")
        and f"{call.receiver}.type()" in (a.replace("->", ".") for a in c.arguments)
        for c in function.calls
        if c.start < call.start < c.end
    )
