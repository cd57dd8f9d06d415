"""Names of a Python file: what imports make of them, what is assigned to them, what encloses what."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

Function = ast.FunctionDef | ast.AsyncFunctionDef
_NO_CHILD = frozenset(
    {int, str, type(None), ast.Load, ast.Store, ast.Del}
)  # most fields: told without asking


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it in the order of `ast.walk`, without the marks of names as read or written."""
    found = [node]
    for each in found:  # grows meanwhile
        try:
            found += each._children  # type: ignore[attr-defined]
        except AttributeError:
            found += children(each)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """What a node holds, kept on the node: rules look through the same trees again and again."""
    held = vars(node)
    if "_children" not in held:
        held["_children"] = _children(held)
    return held["_children"]  # type: ignore[no-any-return]


def _children(held: Mapping[str, object]) -> list[ast.AST]:
    """Python's parser sets the fields of a node in the order of `_fields`."""
    found: list[ast.AST] = []
    for value in held.values():
        kind = type(value)
        if kind is list:
            found += [v for v in value if isinstance(v, ast.AST)]  # type: ignore[attr-defined]
        elif kind not in _NO_CHILD and isinstance(value, ast.AST):
            found.append(value)
    return found


def imports(tree: ast.Module) -> dict[str, str]:
    """Local name -> dotted name: `import torch.nn.functional as F` gives F -> torch.nn.functional."""
    found: dict[str, str] = {}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def dotted(node: ast.expr, imported: Mapping[str, str]) -> str | None:
    """`F.relu` -> `torch.nn.functional.relu`; None unless a chain of names that starts at an import."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in imported:
        return None
    return ".".join([imported[node.id], *reversed(parts)])


def bindings(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Name or attribute name -> every expression that the file assigns to it, in order.

    What is assigned piecewise (`s += ...`) appears twice, so that nobody takes one piece for the whole.
    """
    found: dict[str, list[ast.expr]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.AugAssign):
            pairs = [(node.target, node.value)] * 2
        else:
            continue
        for target, value in pairs:
            for name, part in _targets(target, value):
                found.setdefault(name, []).append(part)
    return found


def _targets(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Attribute):
        yield target.attr, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
        for part, each in zip(target.elts, values, strict=False):
            yield from _targets(part, each)


def parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """Node -> the node that holds it."""
    return {child: node for node in walk(tree) for child in children(node)}


def ancestors(node: ast.AST, parent: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """From the holder of `node` outwards to the module."""
    while node in parent:
        node = parent[node]
        yield node


def methods(owner: ast.ClassDef) -> dict[str, Function]:
    return {n.name: n for n in owner.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}


def parameters(function: Function | ast.Lambda) -> frozenset[str]:
    """Names of everything that a call can give, `*args` and `**options` too."""
    return frozenset(a.arg for a in walk(function.args) if isinstance(a, ast.arg))


def stored(target: ast.AST) -> frozenset[str]:
    """The variables that an assignment to `target` sets."""
    return frozenset(n.id for n in walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def lambdas_as_methods(tree: ast.Module) -> ast.Module:
    """The same tree, with `forward = lambda self, x: ...` in a class as the method that it is."""
    for owner in (n for n in tree.body if isinstance(n, ast.ClassDef)):
        owner.body = [_as_method(statement) for statement in owner.body]
    return tree


def _as_method(node: ast.stmt) -> ast.stmt:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Lambda):
        return node
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return node
    given = ast.copy_location(ast.Return(node.value.body), node.value.body)
    made = ast.FunctionDef(node.targets[0].id, node.value.args, [given], [])
    if "type_params" in ast.FunctionDef._fields:
        made.type_params = []  # type: ignore[attr-defined]
    made.returns = None
    return ast.copy_location(made, node)


def body_without_docstring(function: Function) -> list[ast.stmt]:
    """The statements of a function; a lone string constant at the start is no statement."""
    first = function.body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return function.body[1:]
    return function.body
