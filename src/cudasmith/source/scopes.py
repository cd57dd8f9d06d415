"""Which module-level names a statement binds, and which it reads."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

from cudasmith.source.python_text import first_line

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Scopes:
    """The scopes of one file, as the compiler sees them: a parameter `dim` is not the constant `dim`."""

    def __init__(self, source: str, name: str) -> None:
        self._tables = list(_below(symtable.symtable(source, name, "exec")))

    def reads(self, node: ast.stmt) -> set[str]:
        """Module-level names that running the statement, or calling what it defines, may read."""
        names = _outer_names(node)
        low, high = first_line(node), node.end_lineno or node.lineno
        for table in self._tables:
            if low <= table.get_lineno() <= high:
                names |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
        return names


def binds(node: ast.stmt) -> set[str]:
    """Module-level names that the statement gives a value, or changes in place (`CONFIG["k"] = 1`)."""
    if isinstance(node, _DEFINITIONS):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {a.asname or a.name.partition(".")[0] for a in node.names}
    names = set()
    for part in _own_scope(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, (ast.Subscript, ast.Attribute)) and isinstance(part.ctx, ast.Store):
            names |= _root(part)
        elif isinstance(part, ast.stmt) and part is not node:
            names |= binds(part)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        names |= _root(node.value.func) if isinstance(node.value.func, ast.Attribute) else set()
    return names


def _below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _below(child)


def _outer_names(node: ast.stmt) -> set[str]:
    """Names that a statement reads in its own scope. Decorators, defaults, annotations and bases included."""
    names = set()
    for part in _own_scope(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            names.add(part.target.id)
    return names


def _own_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, without the bodies of functions, classes and lambdas."""
    yield node
    for field, value in ast.iter_fields(node):
        if field == "body" and isinstance(node, (*_DEFINITIONS, ast.Lambda)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _own_scope(child)


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
