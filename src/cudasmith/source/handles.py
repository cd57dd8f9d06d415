"""Where the built extension goes: the names that hold it and the calls made through them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cudasmith.source.names import ancestors, walk
from cudasmith.source.regions import BuildCall


@attrs.frozen(eq=False)
class ExtensionCall:
    """A call of one exported function. `holders`: what encloses it, from the inside out.

    `arguments` are those of the function. `through`: what the function is handed to, when it is
    passed on instead of called, as in `KernelCall.apply(ext.relu, x)`.
    """

    call: ast.Call
    function: str
    arguments: tuple[ast.expr, ...]
    holders: tuple[ast.AST, ...]
    through: ast.expr | None = None

    def placed(self) -> tuple[ast.expr, ...]:
        """The arguments whose positions are known: those before `*rest`."""
        starred = [i for i, a in enumerate(self.arguments) if isinstance(a, ast.Starred)]
        return self.arguments[: starred[0]] if starred else self.arguments


@attrs.frozen(eq=False)
class Handles:
    """`names`: variables, attributes and functions that are or return an extension module.

    `operators`: names bound to one exported function. `escapes`: places where a module is handed
    to code that is not followed.
    """

    names: frozenset[str]
    operators: Mapping[str, str]
    calls: tuple[ExtensionCall, ...]
    escapes: tuple[ast.expr, ...]

    def holds(self, node: ast.AST) -> bool:
        """Whether an expression is the extension module."""
        return _holds(node, self.names, frozenset())

    def exported(self, call: ast.Call) -> str | None:
        """Name of the exported function that a call calls; None when it calls something else."""
        target = call.func
        if isinstance(target, ast.Attribute) and self.holds(target.value):
            return target.attr
        name = getattr(target, "attr", None) or getattr(target, "id", None)
        return self.operators.get(name) if isinstance(name, str) else None


def find_handles(
    tree: ast.Module,
    builds: Iterable[BuildCall],
    bound: Mapping[str, Sequence[ast.expr]],
    parent: Mapping[ast.AST, ast.AST],
) -> Handles:
    """Follows assignments and returns until nothing new is found."""
    calls = frozenset(b.call for b in builds)
    functions = [n for n in walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    kept = list(_kept(tree))
    names: frozenset[str] = frozenset()
    while True:
        grown = {n for n, values in bound.items() if any(_holds(v, names, calls) for v in values)}
        grown |= {n for n, value in kept if _holds(value, names, calls)}
        grown |= {f.name for f in functions if _returns(f, names, calls)}
        if grown <= names:
            break
        names = names | grown
    operators = {
        name: value.attr
        for name, values in bound.items()
        for value in values
        if isinstance(value, ast.Attribute)
        and _holds(value.value, names, calls)
        and not _holds(value, names, calls)
    }
    bare = Handles(names, operators, (), ())
    found = [n for n in walk(tree) if isinstance(n, ast.Call)]
    made = tuple(call for n in found for call in _extension_calls(n, bare, parent))
    handed = [a for n in found if n not in calls for a in n.args]
    named = [k.value for n in found if n not in calls for k in n.keywords]
    functions_handed = [k for k in named if isinstance(k, ast.Attribute) and bare.holds(k.value)]
    escapes = (*(a for a in (*handed, *named) if bare.holds(a)), *functions_handed)
    return attrs.evolve(bare, calls=made, escapes=escapes)


def _extension_calls(
    node: ast.Call, handles: Handles, parent: Mapping[ast.AST, ast.AST]
) -> Iterator[ExtensionCall]:
    """The exported function that a call calls, and those it is handed."""
    holders = tuple(ancestors(node, parent))
    called = handles.exported(node)
    if called is not None:
        yield ExtensionCall(node, called, tuple(node.args), holders)
    for i, argument in enumerate(node.args):
        if isinstance(argument, ast.Attribute) and not handles.holds(argument):
            passed = argument.attr if handles.holds(argument.value) else None
        else:
            passed = handles.operators.get(argument.id) if isinstance(argument, ast.Name) else None
        if passed is not None:
            yield ExtensionCall(node, passed, tuple(node.args[i + 1 :]), holders, node.func)


def _kept(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """A container's name with each value put into it: `_cache["m"] = load_inline(...)`."""
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            owners = [t.value for t in node.targets if isinstance(t, ast.Subscript)]
            for name in (getattr(o, "attr", None) or getattr(o, "id", None) for o in owners):
                if isinstance(name, str):
                    yield name, node.value


def _holds(node: ast.AST, names: frozenset[str], builds: frozenset[ast.Call]) -> bool:
    if isinstance(node, ast.Call):
        return node in builds or _holds(node.func, names, builds)
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):  # `relu.relu` of a module relu is the function
        return node.attr in names and getattr(node.value, "id", None) not in names
    if isinstance(node, ast.Subscript):  # of a container that modules are kept in
        return _holds(node.value, names, builds)
    if isinstance(node, ast.IfExp):
        return _holds(node.body, names, builds) or _holds(node.orelse, names, builds)
    if isinstance(node, ast.BoolOp):
        return any(_holds(v, names, builds) for v in node.values)
    return False


def _returns(function: ast.AST, names: frozenset[str], builds: frozenset[ast.Call]) -> bool:
    returned = [n.value for n in walk(function) if isinstance(n, ast.Return) and n.value is not None]
    return any(_holds(v, names, builds) for v in returned)
