"""Which types AT_DISPATCH macros cover."""

from __future__ import annotations

import re

from cudasmith.cuda.symbols import Call, Function

# C++ types of tensor elements by their names in C++ and in torch's enumeration.
ELEMENTS = {
    "float": "float",
    "double": "double",
    "at::Half": "half",
    "c10::Half": "half",
    "torch::Half": "half",
    "at::BFloat16": "bfloat16",
    "c10::BFloat16": "bfloat16",
    "torch::BFloat16": "bfloat16",
    "int": "int",
    "int32_t": "int",
    "int64_t": "long",
    "long": "long",
    "short": "short",
    "int16_t": "short",
    "bool": "bool",
    "uint8_t": "unsigned char",
    "unsigned char": "unsigned char",
    "int8_t": "signed char",
}
_INTEGERS = frozenset({"unsigned char", "signed char", "short", "int", "long"})
_FLOATS = frozenset({"float", "double"})
# Source: ATen/Dispatch.h of PyTorch 2.13. Complex types are left out: no float type of C++ is one.
_SETS = {
    "FLOATING_TYPES": _FLOATS,
    "FLOATING_TYPES_AND_HALF": _FLOATS | {"half"},
    "REDUCED_FLOATING_TYPES": frozenset({"half", "bfloat16"}),
    "FLOATING_AND_COMPLEX_TYPES": _FLOATS,
    "INTEGRAL_TYPES": _INTEGERS,
    "ALL_TYPES": _INTEGERS | _FLOATS,
    "ALL_TYPES_AND_COMPLEX": _INTEGERS | _FLOATS,
    "INDEX_TYPES": frozenset({"int", "long"}),
}
_EXTRA = {
    "Half": "half",
    "BFloat16": "bfloat16",
    "Bool": "bool",
    "Int": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
}
_AND = re.compile(r"_AND(\d?)$")


def dispatched(call: Call) -> frozenset[str] | None:
    """The element types that a dispatch covers; None when it is none or one of another form."""
    if call.receiver is not None or not call.name.startswith("AT_DISPATCH_"):
        return None
    name = call.name.removeprefix("AT_DISPATCH_")
    if name in _SETS:
        return _SETS[name]
    counted = _AND.search(name)
    known = _SETS.get(name[: counted.start()]) if counted else None
    if counted is None or known is None:
        return None
    extra = [re.sub(r"^(?:\w+::)*k?", "", a) for a in call.arguments[: int(counted[1] or 1)]]
    named = {_EXTRA[e] for e in extra if e in _EXTRA}
    return known | named if all(e in _EXTRA or "Complex" in e for e in extra) else None


def around(function: Function, start: int) -> Call | None:
    """The innermost dispatch whose lambda holds a place of the function."""
    holders = [c for c in function.calls if c.start <= start < c.end and c.name.startswith("AT_DISPATCH_")]
    return max(holders, key=lambda c: c.start) if holders else None


def given_type(call: Call) -> str:
    """What the dispatch switches on, as text: `x.scalar_type()`. In front of the name and the code."""
    strings = [i for i, a in enumerate(call.arguments) if a.startswith('"')]
    return call.arguments[strings[0] - 1] if strings and strings[0] else ""
