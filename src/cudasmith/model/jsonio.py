"""Nouns to JSON text and back. What is written is read back equal, NaN and infinity included."""

from __future__ import annotations

import functools
import json
import math
from typing import Any, TypeVar, Union, get_args, get_origin

from cattrs.preconf.json import JsonConverter, make_converter

from cudasmith.model.graph import Arg, Dtype, Opaque, Ref

T = TypeVar("T")
_TAGS: dict[str, Any] = {"ref": Ref, "dtype": Dtype, "opaque": Opaque, "float": float}


def dumps(noun: Any) -> str:
    """The noun as standard JSON (no bare NaN)."""
    return json.dumps(_converter().unstructure(noun), allow_nan=False)


def to_data(noun: Any) -> Any:
    """The noun as dicts, lists, strings and numbers that JSON can hold."""
    return _converter().unstructure(noun)


def loads(text: str | bytes, cls: type[T]) -> T:
    """The noun of class `cls` that `dumps` wrote."""
    return from_data(json.loads(text), cls)


def from_data(data: Any, cls: type[T]) -> T:
    """The noun of class `cls` that `to_data` wrote."""
    return _converter().structure(data, cls)


@functools.cache
def _converter() -> JsonConverter:
    converter = make_converter()
    converter.register_unstructure_hook(float, _float_to_data)
    converter.register_structure_hook(float, lambda data, _: float(data))
    converter.register_unstructure_hook_func(_is_scalar_union, _arg_to_data)
    converter.register_structure_hook_func(_is_scalar_union, lambda data, _: _arg_from_data(data))
    return converter


def _is_scalar_union(cls: Any) -> bool:
    """Arg, or a union of plain scalars with str: unions whose members JSON alone cannot tell apart."""
    members = get_args(cls) if get_origin(cls) is Union or type(cls).__name__ == "UnionType" else ()
    return Ref in members or (float in members and str in members)


def _float_to_data(value: float) -> float | str:
    return value if math.isfinite(value) else repr(float(value))


def _arg_to_data(arg: Arg) -> Any:
    if isinstance(arg, Ref):
        return {"ref": arg.name}
    if isinstance(arg, Dtype):
        return {"dtype": arg.name}
    if isinstance(arg, Opaque):
        return {"opaque": arg.source}
    if isinstance(arg, tuple):
        return [_arg_to_data(item) for item in arg]
    if isinstance(arg, float) and not math.isfinite(arg):
        return {"float": repr(arg)}
    return arg


def _arg_from_data(data: Any) -> Arg:
    if isinstance(data, list):
        return tuple(_arg_from_data(item) for item in data)
    if isinstance(data, dict):
        ((tag, text),) = data.items()
        value: Arg = _TAGS[tag](text)
        return value
    plain: Arg = data
    return plain
