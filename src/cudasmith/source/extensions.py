"""From a `load_inline` call in a file to what it asks for, where the text alone tells."""

from __future__ import annotations

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
    name = call.values.get("name")
    if not isinstance(name, MappedText):
        raise NotKnown("load_inline is given no name")
    return Extension(
        name=name.text,
        cpp_sources=_texts(call, "cpp_sources"),
        cuda_sources=_texts(call, "cuda_sources"),
        functions=_functions(call.values.get("functions")),
        flags=_texts(call, "extra_cflags"),
        cuda_flags=_texts(call, "extra_cuda_cflags"),
        link_flags=_texts(call, "extra_ldflags"),
        include_paths=_texts(call, "extra_include_paths"),
        implicit_headers=call.values.get("no_implicit_headers") is not True,
        error_handling=call.values.get("with_pytorch_error_handling") is not False,
    )


def _texts(call: BuildCall, keyword: str) -> tuple[str, ...]:
    value = call.values.get(keyword)
    if value is None:
        return ()
    if isinstance(value, MappedText) and keyword.endswith("_sources"):
        return (value.text,)
    if isinstance(value, tuple) and all(isinstance(v, MappedText) for v in value):
        return tuple(v.text for v in value if isinstance(v, MappedText))
    raise NotKnown(f"{keyword} of load_inline is no list of texts")


def _functions(value: Value) -> tuple[tuple[str, str], ...] | None:
    if value is None:
        return None
    if isinstance(value, MappedText):
        return ((value.text, value.text),)
    if isinstance(value, dict) and all(isinstance(v, MappedText) for v in value.values()):
        return tuple((k, v.text) for k, v in value.items() if isinstance(v, MappedText))
    if isinstance(value, tuple) and all(isinstance(v, MappedText) for v in value):
        return tuple((v.text, v.text) for v in value if isinstance(v, MappedText))
    raise NotKnown("functions of load_inline is no list of names")
