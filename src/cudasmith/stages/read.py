"""Stage read: a file or a live module becomes a Problem. No user code runs, torch is not imported."""

from __future__ import annotations

import ast
from pathlib import Path

from cudasmith.model import Problem, ProblemError
from cudasmith.source.python_text import parse

FORM = (
    "a reference file defines class Model(nn.Module), get_inputs() "
    "and, if Model takes arguments, get_init_inputs()"
)


def read(path: str | Path, *, seed: int = 0) -> Problem:
    """The Problem of a reference file, whose form is checked by parsing alone.

    Raises: ProblemError CSP001 to CSP009, with the place and what to do.
    """
    name = str(path)
    source = _text(Path(path), name)
    tree = parse(source, name)
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    functions = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    bound = functions | _assigned(tree)
    if "Model" not in classes and "Model" not in bound:
        raise _no_model(name, classes)
    if "Model" in classes and not _has_forward(classes["Model"], classes):
        raise ProblemError(
            "CSP007",
            "class Model has no method forward",
            where=f"{name}:{classes['Model'].lineno}",
            help="forward(self, ...) is what gets ported",
        )
    if "get_inputs" not in bound:
        raise ProblemError(
            "CSP008",
            "there is no function get_inputs",
            where=name,
            help="add `def get_inputs(): return [torch.rand(...)]`: the arguments of forward at the size to port for",
        )
    return Problem(path=name, source=source, seed=seed)


def _text(path: Path, name: str) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ProblemError("CSP001", "there is no such file", where=name, help=FORM, exit_code=3) from None
    except IsADirectoryError:
        raise ProblemError(
            "CSP002", "this is a directory", where=name, help="name one Python file in it", exit_code=3
        ) from None
    except OSError as error:
        raise ProblemError(
            "CSP009", f"the file cannot be read: {error.strerror}", where=name, exit_code=3
        ) from None
    if not data.strip():
        raise ProblemError("CSP003", "the file is empty", where=name, help=FORM)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProblemError(
            "CSP004",
            f"the file is not UTF-8 text: byte 0x{data[error.start]:02x}",
            where=f"{name}:{line}",
            help="is this a Python source file? Save it as UTF-8",
        ) from None


def _no_model(name: str, classes: dict[str, ast.ClassDef]) -> ProblemError:
    if classes:
        listed = ", ".join(f"{c} (line {node.lineno})" for c, node in classes.items())
        message = f"there is no class Model; the classes here are {listed}"
    else:
        message = "there is no class Model, nor any other class"
    return ProblemError("CSP006", message, where=name, help=FORM)


def _has_forward(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """True when forward is defined, assigned, or may come from a base that is not a plain nn.Module."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "forward":
            return True
        if isinstance(item, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "forward" for t in item.targets):
            return True
    for base in node.bases:
        text = ast.unparse(base)
        if text in classes and classes[text] is not node and _has_forward(classes[text], classes):
            return True
        if text not in classes and text.rpartition(".")[2] != "Module":
            return True
    return False


def _assigned(tree: ast.Module) -> set[str]:
    """Names bound at module level by assignment or import: `get_inputs = partial(...)` counts."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names
