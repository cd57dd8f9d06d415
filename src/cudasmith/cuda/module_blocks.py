"""The PYBIND11_MODULE blocks of CUDA or C++ text."""

from __future__ import annotations

import attrs

from cudasmith.cuda.tokens import line_of, tokenize


@attrs.frozen
class Binding:
    """One PYBIND11_MODULE block."""

    module: str  # the first macro argument as written
    line: int


def find_bindings(text: str) -> list[Binding]:
    """Every PYBIND11_MODULE(name, ...) in text order."""
    tokens = tokenize(text)
    found = []
    for i, token in enumerate(tokens[:-2]):
        defined = i > 0 and tokens[i - 1].text in ("define", "ifdef", "ifndef", "undef")
        if token.text == "PYBIND11_MODULE" and not defined and tokens[i + 1].text == "(":
            found.append(Binding(tokens[i + 2].text, line_of(text, token.start)))
    return found
