"""How a host function treats one of its tensor parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from cudasmith.cuda.symbols import Call, Function, Variable
from cudasmith.rules._subject import Subject, Unit
from cudasmith.source.names import walk

_POINTER = ("data_ptr", "const_data_ptr", "mutable_data_ptr", "data")
_LAYOUT = (
    "contiguous",
    "is_contiguous",
    "stride",
    "strides",
    "accessor",
    "packed_accessor",
    "packed_accessor32",
    "packed_accessor64",
    "is_non_overlapping_and_dense",
    "expect_contiguous",
)
_DTYPE = (
    "scalar_type",
    "dtype",
    "type",
    "to",
    "toType",
    "element_size",
    "itemsize",
    "float",
    "half",
    "is_floating_point",
)
_BASE = re.compile(r"[(*&\s]*([A-Za-z_]\w*)")
MAX_DEPTH = 6


def base(expression: str) -> str:
    """The first name of an expression: `x.to(y)` -> x, `*x` -> x."""
    found = _BASE.match(expression)
    return found[1] if found else ""


def aliases(function: Function, param: str) -> frozenset[str]:
    """Names that stand for the parameter itself: `auto x = x_in;`."""
    found = {param}
    for variable in function.variables:
        if variable.value.strip("(){} ") in found and re.fullmatch(r"\w+", variable.name):
            found.add(variable.name)
    return frozenset(found)


def reads_pointer(unit: Unit, function: Function, param: str, depth: int = 0) -> bool:
    """Whether the tensor's raw memory is used, here or in a helper or macro of the file."""
    names = aliases(function, param)
    for call in function.calls:
        if call.receiver is not None and call.name in _POINTER and call.receiver.strip("(*)") in names:
            return True
    return _handed_on(unit, function, names, re.compile("data_ptr"), reads_pointer, depth)


def minds_layout(unit: Unit, function: Function, param: str, depth: int = 0) -> bool:
    """Whether contiguity is checked or made or strides are used, here or in a helper or macro of the file."""
    names = aliases(function, param)
    for call in function.calls:
        asks = call.name in _LAYOUT or any("Contiguous" in a for a in call.arguments)
        if asks and call.receiver is not None and base(call.receiver) in names:
            return True
    return _handed_on(unit, function, names, re.compile("contiguous|stride"), minds_layout, depth)


def minds_dtype(unit: Unit, function: Function, param: str, depth: int = 0) -> bool:
    """Whether the dtype is checked, asked for or made, here or in a helper or macro of the file."""
    names = aliases(function, param) | dense_copies(unit, function, param)
    for call in function.calls:
        if call.receiver is not None and base(call.receiver) in names and call.name in _DTYPE:
            return True
        if call.receiver is None and "ScalarType" in call.name and set(_passed(call, names)):
            return True
    return _handed_on(unit, function, names, re.compile("scalar_type|dtype|toType"), minds_dtype, depth)


def asserts_dense(unit: Unit, function: Function, param: str, depth: int = 0) -> bool:
    """Whether contiguity of the tensor itself is checked, not only that of a copy."""
    names = aliases(function, param)
    for call in function.calls:
        if call.name == "is_contiguous" and call.receiver is not None and base(call.receiver) in names:
            return True
    return _handed_on(unit, function, names, re.compile("is_contiguous"), asserts_dense, depth)


def dense_copies(unit: Unit, function: Function, param: str) -> frozenset[str]:
    """Names that hold what `.contiguous()`, here or in a helper, makes of the tensor; its own name when it is replaced."""
    names = aliases(function, param)
    found: set[str] = set()
    for variable in function.variables:
        for call in value_calls(function, variable):
            own = (
                call.name == "contiguous" and call.receiver is not None and call.receiver.strip("()") in names
            )
            if own or _helper_minds_layout(unit, call, names):
                found.add(variable.name)
    return frozenset(found)


def _helper_minds_layout(unit: Unit, call: Call, names: frozenset[str]) -> bool:
    helper = unit.definition(call.name)
    if helper is None or "Tensor" not in helper[1].returns:
        return False
    params = helper[1].params
    return any(
        i < len(params) and minds_layout(unit, helper[1], params[i].name, 1) for i in _passed(call, names)
    )


def value_calls(function: Function, variable: Variable) -> list[Call]:
    """The calls whose result is the value of a variable: `f(x)` and `x.f()`, not those in the arguments of another."""
    return [c for c in function.calls if c.start == variable.start and c.end == variable.end]


def same_memory(unit: Unit, function: Function, param: str) -> frozenset[str]:
    """Names whose memory is that of the tensor: itself, and what `.contiguous()` gives of a dense one."""
    copies = dense_copies(unit, function, param)
    other = [v for v in function.variables if v.name == param and v.operator == "=" and v.name not in copies]
    return frozenset() if other else aliases(function, param) | copies


def _handed_on(
    unit: Unit,
    function: Function,
    names: frozenset[str],
    in_macro: re.Pattern[str],
    question: Callable[[Unit, Function, str, int], bool],
    depth: int,
) -> bool:
    """Asks the same of every helper and macro of the file that is given the tensor."""
    for call in function.calls:
        helper = unit.definition(call.name)
        for index in _passed(call, names):
            if in_macro.search(_macro(unit, call.name)):
                return True
            if helper is None or depth >= MAX_DEPTH or index >= len(helper[1].params):
                continue
            if question(unit, helper[1], helper[1].params[index].name, depth + 1):
                return True
    return False


def _passed(call: Call, names: frozenset[str]) -> list[int]:
    """Positions at which the tensor itself is handed over."""
    return (
        [i for i, a in enumerate(call.arguments) if a.strip("(*&) ") in names]
        if call.receiver is None
        else []
    )


def _macro(unit: Unit, name: str, depth: int = 0) -> str:
    """A macro's text with the macros in it."""
    text = unit.macro(name)
    if not text or depth > MAX_DEPTH:
        return text
    inner = set(re.findall(r"[A-Za-z_]\w*", text)) - {name}
    return " ".join([text, *(_macro(unit, w, depth + 1) for w in sorted(inner) if unit.macro(w))])


def made_in_python(subject: Subject, exported: str, index: int) -> bool:
    """Whether every call in the file passes `.contiguous()` there, or a name that was assigned one."""
    calls = [c for c in subject.file.handles.calls if c.function == exported]
    return bool(calls) and all(
        len(c.arguments) > index and _is_contiguous(subject, c.arguments[index]) for c in calls
    )


def _is_contiguous(subject: Subject, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return any(_calls_contiguous(v) for v in subject.file.bound.get(node.id, ()))
    return _calls_contiguous(node)


def _calls_contiguous(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "contiguous" for n in walk(node))
