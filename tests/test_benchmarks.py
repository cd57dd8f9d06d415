"""Benchmarks import inside functions, and no type checker reads them: each name that they take from the package exists."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py"))


def _taken(file: Path) -> list[tuple[str, str]]:
    """Module and name of every import from the package, at any depth."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cudasmith")
        for alias in node.names
        if node.module
    ]


@pytest.mark.parametrize("file", BENCHMARKS, ids=lambda f: f.stem)
def test_what_a_benchmark_imports_from_the_package_exists(file: Path) -> None:
    for module, name in _taken(file):
        found = importlib.import_module(module)
        if not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")


def test_the_benchmarks_are_found() -> None:
    assert sum(len(_taken(file)) for file in BENCHMARKS) > 40
