"""Which functions of the file run when `ModelNew.forward` is called."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping, Sequence

import attrs

from cudasmith.source.names import Function, ancestors, dotted, methods, walk

_PUTS = ("append", "extend", "insert", "add_module", "register_module")
BACKWARD = ("backward", "vjp", "jvp")


@attrs.frozen(eq=False)
class Reach:
    """`forward`: functions that run in the forward pass; `backward`: gradients of the ones used there."""

    forward: tuple[Function, ...]
    backward: tuple[Function, ...]


def reach(
    start: Function,
    tree: ast.Module,
    imported: Mapping[str, str],
    bound: Mapping[str, Sequence[ast.expr]],
    parent: Mapping[ast.AST, ast.AST],
) -> Reach:
    """Over-approximates: a function that is named counts as called."""
    walker = _Walker(tree, imported, bound, parent)
    walker.follow_replaced(start)
    walker.follow(start)
    return Reach(tuple(walker.forward), tuple(walker.backward))


def named_from(
    statements: Sequence[ast.AST],
    tree: ast.Module,
    imported: Mapping[str, str],
    bound: Mapping[str, Sequence[ast.expr]],
    parent: Mapping[ast.AST, ast.AST],
) -> tuple[Function, ...]:
    """The functions of the file that run when some statements or expressions do; over-approximated in the same way."""
    walker = _Walker(tree, imported, bound, parent)
    walker.follow_statements(statements)
    return tuple(walker.forward)


def is_autograd_function(owner: ast.AST, imported: Mapping[str, str]) -> bool:
    """Whether a class derives directly from torch.autograd.Function."""
    if not isinstance(owner, ast.ClassDef):
        return False
    names = [dotted(b, imported) or "" for b in owner.bases]
    return any(n.endswith(("autograd.Function", "autograd.function.Function")) for n in names)


def _put(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Name of a list or a container -> what the file puts into it: `layers.append(Block())`."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTS:
            found.setdefault(_last(node.func.value), []).extend(node.args)
        elif isinstance(node, ast.Assign):
            for target in (t for t in node.targets if isinstance(t, ast.Subscript)):
                found.setdefault(_last(target.value), []).append(node.value)
    return found


def _last(node: ast.expr) -> str:
    """The name, or the last attribute: what `bound` calls it."""
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))


class _Walker:
    def __init__(
        self,
        tree: ast.Module,
        imported: Mapping[str, str],
        bound: Mapping[str, Sequence[ast.expr]],
        parent: Mapping[ast.AST, ast.AST],
    ) -> None:
        self._bound, self._parent, self._imported = bound, parent, imported
        self._put = _put(tree)
        self._functions = {
            n.name: n
            for n in walk(tree)
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
            and not isinstance(parent[n], ast.ClassDef)
        }
        self._classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
        self.forward: list[Function] = []
        self.backward: list[Function] = []
        self._seen: set[ast.AST] = set()
        self._todo: deque[tuple[ast.AST, ast.ClassDef | None]] = (
            deque()
        )  # no recursion: names can chain at any length

    def follow(self, start: Function) -> None:
        self._function(start)
        self._run()

    def follow_replaced(self, start: Function) -> None:
        """`self.forward = self._fast` puts another function in the place of the method."""
        self._values(start.name, self._owner(start))
        self._run()

    def follow_statements(self, statements: Sequence[ast.AST]) -> None:
        self._todo += [(s, self._owner(s)) for s in statements]
        self._run()

    def _run(self) -> None:
        while self._todo:
            self._mentions(*self._todo.popleft())

    def _function(self, node: Function) -> None:
        if any(a in self.forward for a in (node, *ancestors(node, self._parent))):
            return  # what stands within a function is walked with it
        self.forward.append(node)
        owner = self._owner(node)
        self._todo += [(statement, owner) for statement in node.body]

    def _owner(self, node: ast.AST) -> ast.ClassDef | None:
        return next((a for a in ancestors(node, self._parent) if isinstance(a, ast.ClassDef)), None)

    def _mentions(self, root: ast.AST, owner: ast.ClassDef | None) -> None:
        for node in walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._name(node.id, owner)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                own = methods(owner).get(node.attr) if owner else None
                if own is not None:
                    self._function(own)
                elif dotted(node, self._imported) is None:
                    self._values(node.attr, owner)

    def _name(self, name: str, owner: ast.ClassDef | None) -> None:
        if name in self._functions:
            self._function(self._functions[name])
        elif name in self._classes:
            self._class(self._classes[name])
        else:
            self._values(name, owner)

    def _values(self, name: str, owner: ast.ClassDef | None) -> None:
        for value in (*self._bound.get(name, ()), *self._put.get(name, ())):
            if value not in self._seen:
                self._seen.add(value)
                self._todo.append((value, owner))

    def _class(self, node: ast.ClassDef) -> None:
        if node in self._seen:
            return
        self._seen.add(node)
        gradient = is_autograd_function(node, self._imported)
        for name, method in methods(node).items():
            if gradient and name in BACKWARD:
                self.backward.append(method)
            elif name in ("forward", "__call__"):
                self._function(method)
