"""CS306."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudasmith.cuda.symbols import Function
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject

_HALF = ("half", "__half", "half2", "__half2")
_OPERATORS = ("+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=")
_COMPOUND = ("+=", "-=", "*=", "/=")
_BACK = ("-U__CUDA_NO_HALF_OPERATORS__", "-U__CUDA_NO_HALF2_OPERATORS__")
_OPERAND = re.compile(r"(?P<star>\*?)\s*(?P<name>[A-Za-z_]\w*)\s*(?P<index>\[.*\])?")
_LITERAL = re.compile(r"[\d.]+(?:[eE][+-]?\d+)?[fF]?")
_ADD = "__global__ void add(const __half* x, half* y, __half a) {{ const int i = threadIdx.x; {} }}\n__global__ void scale"
_KERNEL = "__global__ void scale"


class HalfOperators(Rule):
    """No operator is applied to __half: torch turns the operators of CUDA's half types off.

    torch compiles with -D__CUDA_NO_HALF_OPERATORS__ and its like, so that `a * b` of two __half has no
    matching operator and `h * 2.0f` has no conversion. Compute in float (`__half2float`), use the functions
    (`__hmul`, `__hadd`), or at::Half, which has operators. The flags -U__CUDA_NO_HALF_OPERATORS__ and
    -U__CUDA_NO_HALF2_OPERATORS__ bring them back. Those of bfloat16 are on.
    """

    code = "CS306"
    name = "half-operators"
    severity = severities("error", "error")
    BAD = (
        edit((_KERNEL, _ADD.format("y[i] = x[i] * a;  // HERE\n"))),
        edit((_KERNEL, _ADD.format("half v = a; v += x[i];  // HERE\n y[i] = v;"))),
        edit((_KERNEL, _ADD.format("y[i] = *x > a ? a : x[i];  // HERE\n"))),
        edit((_KERNEL, _ADD.format("y[i] = x[i] * 2.0f;  // HERE\n"))),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (
                _KERNEL,
                _ADD.format("y[i] = __hmul(x[i], a); float f = __half2float(x[i]) * 2.f + __half2float(a);"),
            )
        ),
        edit((_KERNEL, _ADD.format("const __half* p = x + i; y[i] = p[0]; if (p != x) y[i] = a;"))),
        edit((_KERNEL, _ADD.format("at::Half v = a; at::Half w = v * v; y[i] = w;"))),
        edit(
            (_KERNEL, _ADD.format("y[i] = x[i] * a;")),
            ('extra_cuda_cflags=["-O3"]', 'extra_cuda_cflags=["-O3", "-U__CUDA_NO_HALF_OPERATORS__"]'),
        ),
        edit((_KERNEL, "using half = float;\n__device__ half twice(half a) { return a * 2; }\n" + _KERNEL)),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit, part in subject.parts():
            flags = {w for w, _ in unit.build.words("extra_cuda_cflags", subject.file.source)}
            unread = unit.build.unresolved & {"extra_cuda_cflags", "**"}
            if unread or flags & set(_BACK) or part.region.kind == "cpp" or _operators_of_its_own(part):
                continue
            for function in part.symbols.functions:
                if not function.is_host:
                    for start, end, operator in _uses(function):
                        message = f"torch turns the operator {operator} of __half off"
                        help = "compute in float with __half2float, or use __hadd, __hmul and their like"
                        yield self.found(subject, part.span(start, end), message, help=help)


def _operators_of_its_own(part: Part) -> bool:
    names = {*part.symbols.top_words, *part.symbols.macros}
    return bool(names & {"half", "__half"}) or any(
        f.name.startswith("operator") for f in part.symbols.functions
    )


def _uses(function: Function) -> Iterator[tuple[int, int, str]]:
    """Places of operators whose operands are certainly half, or half and a number written out."""
    kinds = _kinds(function)
    for operation in function.operations:
        sides = [_kind(kinds, t) for t in (operation.left, operation.right)]
        if operation.operator in _OPERATORS and "half" in sides and set(sides) <= {"half", "number"}:
            yield operation.start, operation.end, operation.operator
    for variable in function.variables:
        if not variable.type and variable.operator in _COMPOUND and _kind(kinds, variable.name) == "half":
            yield variable.start, variable.end, variable.operator


def _kinds(function: Function) -> dict[str, str]:
    """Name -> "half", or "pointer" to half, arrays included; names of two kinds are left out."""
    found: dict[str, set[str]] = {}
    for param in function.params:
        bare = param.type.replace("const", "").replace("&", "").strip()
        kind = "half" if bare in _HALF else "pointer" if bare.rstrip("*") in _HALF else "other"
        found.setdefault(param.name, set()).add(kind)
    for variable in function.variables:
        if variable.type:
            bare = variable.type.replace("const", "").strip()
            kind = (
                "other" if bare not in _HALF else "pointer" if variable.pointer or variable.array else "half"
            )
            found.setdefault(variable.name, set()).add(kind)
    return {name: min(kinds) for name, kinds in found.items() if len(kinds) == 1}


def _kind(kinds: dict[str, str], text: str) -> str:
    if _LITERAL.fullmatch(text.strip("() ")):
        return "number"
    operand = _OPERAND.fullmatch(text.strip())
    kind = kinds.get(operand["name"], "other") if operand else "other"
    if operand is None or kind == "other":
        return "other"
    reached = bool(operand["star"]) or operand["index"] is not None
    return "half" if (kind == "half" and not reached) or (kind == "pointer" and reached) else "other"
