"""From a `load_inline` call in a file to what it asks for, where the text alone tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cudasmith.model import Extension
from cudasmith.source.evaluate import Value
from cudasmith.source.literals import MappedText
from cudasmith.source.regions import BuildCall

# Keywords that change nothing in what is built.
_IGNORED = frozenset(
    {"verbose", "build_directory", "keep_intermediates", "use_pch", "with_cuda", "with_sycl"}
)
_KNOWN = frozenset(
    {
        "name",
        "cpp_sources",
        "cuda_sources",
        "functions",
        "extra_cflags",
        "extra_cuda_cflags",
        "extra_ldflags",
        "extra_include_paths",
        "no_implicit_headers",
        "with_pytorch_error_handling",
    }
)


class NotKnown(Exception):
    """What a call asks for is decided while the file runs, or is nothing that is built. The message says what."""


def extension_of(call: BuildCall) -> Extension:
    """The extension that one call asks for.

    Raises: NotKnown.
    """
    unresolved = sorted(call.unresolved - _IGNORED)
    if unresolved:
        raise NotKnown(f"{', '.join(unresolved)} of load_inline is put together while the file runs")
    strange = sorted(set(call.keywords) - _KNOWN - _IGNORED)
    if strange:
        raise NotKnown(f"load_inline is given {', '.join(strange)}")
    return from_arguments({keyword: _plain(value) for keyword, value in call.values.items()})


def from_arguments(given: Mapping[str, Any]) -> Extension:
    """The extension that arguments of load_inline, by their names, ask for.

    Raises: NotKnown for a form that torch itself refuses or mends.
    """
    if not isinstance(given.get("name"), str):
        raise NotKnown("load_inline is given no name")
    if given.get("cpp_sources") is None:
        raise NotKnown("load_inline is given no cpp_sources")
    return Extension(
        name=given["name"],
        cpp_sources=_texts(given, "cpp_sources"),
        cuda_sources=_texts(given, "cuda_sources"),
        functions=_functions(given.get("functions")),
        flags=_texts(given, "extra_cflags"),
        cuda_flags=_texts(given, "extra_cuda_cflags"),
        link_flags=_texts(given, "extra_ldflags"),
        include_paths=_texts(given, "extra_include_paths"),
        implicit_headers=given.get("no_implicit_headers") is not True,
        error_handling=given.get("with_pytorch_error_handling") is not False,
    )


def _plain(value: Value) -> Any:
    """The value as the running file has it; a tuple of the evaluator is a list or a tuple there."""
    if isinstance(value, MappedText):
        return value.text
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


def _texts(given: Mapping[str, Any], keyword: str) -> tuple[str, ...]:
    value = given.get(keyword)
    if value is None:
        return ()
    if isinstance(value, str) and keyword.endswith("_sources"):
        return (value,)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return tuple(value)
    raise NotKnown(f"{keyword} of load_inline is no list of texts")


def _functions(value: Any) -> tuple[tuple[str, str], ...] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return ((value, value),)
    if isinstance(value, dict) and all(isinstance(v, str) for v in value.values()):
        return tuple(value.items())
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return tuple((v, v) for v in value)
    raise NotKnown("functions of load_inline is no list of names")
