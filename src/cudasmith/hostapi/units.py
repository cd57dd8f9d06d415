"""The two files that torch's load_inline writes, as text: main.cpp and cuda.cu, line for line."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from cudasmith.model import Extension

CPP_HEADERS = ("#include <torch/extension.h>",)
CUDA_HEADERS = ("#include <torch/types.h>", "#include <cuda.h>", "#include <cuda_runtime.h>")


@attrs.frozen
class Unit:
    """One translation unit under the name that torch gives its file."""

    file: str
    text: str


def units(extension: Extension) -> tuple[Unit, ...]:
    """main.cpp and, where there are CUDA sources, cuda.cu. A main.cpp that adds nothing is left out."""
    found = []
    bound = extension.functions
    own = [*extension.cpp_sources, *(bindings(bound, extension.error_handling) if bound is not None else ())]
    if any(text.strip() for text in own):
        found.append(_unit("main.cpp", CPP_HEADERS, own, extension.implicit_headers))
    if extension.cuda_sources:
        found.append(_unit("cuda.cu", CUDA_HEADERS, list(extension.cuda_sources), extension.implicit_headers))
    return tuple(found)


def bindings(functions: Iterable[tuple[str, str]], error_handling: bool = True) -> list[str]:
    """The module block that load_inline writes for names and docstrings of functions, one item per line."""
    lines = ["PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {"]
    for name, doc in functions:
        bound = f"torch::wrap_pybind_function({name})" if error_handling else name
        lines.append(f'm.def("{name}", {bound}, "{doc}");')
    return [*lines, "}"]


def _unit(file: str, headers: tuple[str, ...], sources: list[str], implicit: bool) -> Unit:
    return Unit(file, "\n".join([*(headers if implicit else ()), *sources]))
