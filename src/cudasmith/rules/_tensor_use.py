"""How a host function treats one of its tensor parameters."""

from __future__ import annotations

import re
from collections.abc import Callable

from cudasmith.cuda.symbols import Call, Function
from cudasmith.rules._subject import Unit

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
