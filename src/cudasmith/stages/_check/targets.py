"""Which files are checked: those named, and in folders the Python files that hold a candidate."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_HINT = re.compile(rb"\bModelNew\b|\bload_inline\b")


def python_files(
    folder: Path, excluded: Callable[[Path], bool], unlisted: Callable[[OSError], None]
) -> Iterator[Path]:
    """The candidates below a folder, in the order of their names.

    Hidden folders, virtual environments, caches and links to folders are passed over, and what is `excluded`. `unlisted` is told of folders that cannot be read.
    """
    for place, folders, names in os.walk(folder, onerror=unlisted):
        here = Path(place)
        folders[:] = sorted(f for f in folders if not _skipped(here / f) and not excluded(here / f))
        for name in sorted(names):
            path = here / name
            wanted = name.endswith(".py") and not name.startswith(".")
            if wanted and not excluded(path) and is_candidate(path):
                yield path


def _skipped(folder: Path) -> bool:
    name = folder.name
    return name.startswith(".") or name in SKIPPED or (folder / "pyvenv.cfg").exists()


def is_candidate(path: Path) -> bool:
    """Whether a file defines ModelNew or calls load_inline. True for one that cannot be read: that is to be told."""
    if path.exists() and not path.is_file():  # a pipe would never end
        return True
    try:
        data = path.read_bytes()
    except OSError:
        return True
    return _is_candidate(data)


def is_candidate_text(text: str) -> bool:
    return _is_candidate(text.encode(errors="replace"))


def _is_candidate(data: bytes) -> bool:
    if not _HINT.search(data):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(_defines(node) for node in ast.walk(tree))


def _defines(node: ast.AST) -> bool:
    if isinstance(node, ast.ClassDef):
        return node.name == "ModelNew"
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id == "ModelNew" for t in node.targets)
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) == "load_inline"
    return False
