"""Files whose text a Python file reads at a known place: `open("kernel.cu").read()`, `(Path(__file__).parent / "k.cu").read_text()`."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping

import attrs

from cudasmith.source.lists import grown
from cudasmith.source.names import walk

_OPENERS = frozenset({"read", "read_text"})
# What makes the place or the content of a file another than the one that lies there before the run.
_CHANGES = frozenset(
    {
        "chdir",
        "write_text",
        "write_bytes",
        "write",
        "writelines",
        "copy",
        "copyfile",
        "rename",
        "subprocess",
        "system",
    }
)
_CONDITIONAL = (ast.If, ast.IfExp, ast.Try, ast.While, ast.BoolOp, ast.Match)


@attrs.frozen
class PathValue:
    """A pathlib.Path."""

    text: str


@attrs.frozen
class Read:
    """A file that is read: its absolute path, as it is written, the line, and whether the file certainly reads it."""

    path: str
    written: str
    line: int
    certain: bool


def reads_as_they_lie(tree: ast.Module) -> bool:
    """Whether what the file reads is what lies there: it changes neither files nor the current directory, by its text."""
    return not any(
        (isinstance(node, ast.Attribute) and node.attr in _CHANGES)
        or (isinstance(node, ast.alias) and node.name in _CHANGES)
        for node in walk(tree)
    )


def is_conditional(node: ast.AST, parent: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a node may be passed over when the file runs; what a function does is asked where it is called."""
    while node in parent:
        node = parent[node]
        if isinstance(node, _CONDITIONAL):
            return True
    return False


def opened_names(tree: ast.Module) -> dict[ast.Call, ast.expr]:
    """`f.read()` -> the `open(...)` of `with open(...) as f:`, where that is the block's only use of f."""
    return dict(_opened(tree))


def _opened(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.expr]]:
    for block in walk(tree):
        if not isinstance(block, ast.With):
            continue
        for item in block.items:
            if not isinstance(item.optional_vars, ast.Name):
                continue
            inside = [node for statement in block.body for node in walk(statement)]
            uses = [n for n in inside if isinstance(n, ast.Name) and n.id == item.optional_vars.id]
            reads = [n for n in inside if isinstance(n, ast.Call) and _is_read_of(n, uses)]
            if len(uses) == len(reads) == 1:
                yield reads[0], item.context_expr


def _is_read_of(call: ast.Call, names: list[ast.Name]) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _OPENERS and call.func.value in names


def pieces(tree: ast.Module, parent: Mapping[ast.AST, ast.AST]) -> dict[str, tuple[ast.expr, ...]]:
    """Name -> what it is put together of: `A = x`, then `A += y`, `A.append(z)` or `A.extend(z)`, all statements that
    stand directly in the module or directly in one function.

    Only where nothing else gives the name a value, and nothing can read it before it is whole.
    """
    nodes = walk(tree)
    added = {n.target.id for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    added |= {owner.id for n in nodes if (owner := grown(n)) is not None}
    found = {}
    for name in added:
        uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
        if not given_otherwise(name, nodes) and (parts := _pieces_of(uses, parent)):
            found[name] = parts
    return found


def _pieces_of(uses: list[ast.Name], parent: Mapping[ast.AST, ast.AST]) -> tuple[ast.expr, ...]:
    """Of all mentions of one name; empty where they are not so plain."""
    steps = [(n, _step(n, parent)) for n in uses]
    writes = sorted((s for _, s in steps if s is not None), key=lambda s: s.lineno)
    if (
        not writes
        or not isinstance(writes[0], ast.Assign)
        or any(isinstance(w, ast.Assign) for w in writes[1:])
    ):
        return ()
    body, end = parent[writes[0]], max(w.end_lineno or w.lineno for w in writes)
    if not isinstance(body, (ast.Module, ast.FunctionDef)) or any(parent[w] is not body for w in writes):
        return ()
    for use in (n for n, step in steps if step is None):
        line = _line_in(body, use, parent)
        if not isinstance(use.ctx, ast.Load) or line is None or line <= end:
            return ()
    return tuple(_piece(w) for w in writes)


def _step(name: ast.Name, parent: Mapping[ast.AST, ast.AST]) -> ast.Assign | ast.AugAssign | ast.Expr | None:
    """The statement by which a mention of a name gives it its first value, or adds to it."""
    holder = parent[name]
    if isinstance(holder, ast.Assign) and holder.targets == [name]:
        return holder
    if isinstance(holder, ast.AugAssign) and holder.target is name and isinstance(holder.op, ast.Add):
        return holder
    statement = parent.get(parent.get(holder, holder))
    return statement if isinstance(statement, ast.Expr) and grown(statement) is name else None


def _piece(statement: ast.Assign | ast.AugAssign | ast.Expr) -> ast.expr:
    if not isinstance(statement, ast.Expr):
        return statement.value
    call = statement.value
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return call.args[0] if call.func.attr == "extend" else ast.List(list(call.args), ast.Load())


def _line_in(body: ast.AST, node: ast.AST, parent: Mapping[ast.AST, ast.AST]) -> int | None:
    """Of the statement of a body that holds a node: a function that is defined behind a line is not called before it."""
    while node in parent and parent[node] is not body:
        node = parent[node]
    return getattr(node, "lineno", 0) if node in parent else None


def given_otherwise(name: str, nodes: list[ast.AST]) -> bool:
    """By a parameter, an import, a definition or a field of that name."""
    return any(
        (isinstance(n, ast.arg) and n.arg == name)
        or (isinstance(n, ast.alias) and (n.asname or n.name) == name)
        or (isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name)
        or (isinstance(n, ast.Attribute) and n.attr == name and not isinstance(n.ctx, ast.Load))
        for n in nodes
    )


def absolute(path: str) -> str:
    """From the current directory, as Python opens it."""
    return os.path.abspath(path)  # noqa: PTH100 - a link stays as it is written
