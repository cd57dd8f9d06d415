"""Where the built extension goes: the names that hold it and the calls made through them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from cudasmith.source.names import Function, ancestors, methods, walk
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
        member = _member(target)
        if member is not None and self.holds(member[0]):
            return member[1]
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
    given = list(_given(tree, functions, parent))
    kept = [*_kept(tree), *given]
    names: frozenset[str] = frozenset()
    while True:
        grown = {n for n, values in bound.items() if any(_holds(v, names, calls) for v in values)}
        grown |= {n for n, value in kept if _holds(value, names, calls)}
        grown |= {f.name for f in functions if _returns(f, names, calls)}
        if grown <= names:
            break
        names = names | grown
    operators = {
        name: member[1]
        for name, values in bound.items()
        for value in values
        if (member := _member(value)) is not None
        and _holds(member[0], names, calls)
        and not _holds(value, names, calls)
    }
    bare = Handles(names, operators, (), ())
    found = [n for n in walk(tree) if isinstance(n, ast.Call)]
    made = tuple(call for n in found for call in _extension_calls(n, bare, parent))
    followed = [n for n in found if n in calls or _member(n) is not None or _is_cache(n.func)]
    taken = {value for _, value in given}
    handed = [a for n in found if n not in followed for a in n.args if a not in taken]
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
        member = _member(argument)
        if member is not None and not handles.holds(argument):
            passed = member[1] if handles.holds(member[0]) else None
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


def _given(
    tree: ast.Module, functions: Sequence[Function], parent: Mapping[ast.AST, ast.AST]
) -> Iterator[tuple[str, ast.expr]]:
    """Parameters with what calls give them: of functions of the file, and of `forward` by `Scale.apply(...)`."""
    plain = {f.name: f for f in functions if not isinstance(parent[f], ast.ClassDef)}
    applied = {n.name: methods(n).get("forward") for n in walk(tree) if isinstance(n, ast.ClassDef)}
    for node in walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "apply":
            function, skipped = applied.get(getattr(node.func.value, "id", "")), 1
        else:
            function, skipped = plain.get(getattr(node.func, "id", "")), 0
        if function is not None:
            names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)][skipped:]
            yield from zip(names, node.args, strict=False)


def _member(node: ast.AST) -> tuple[ast.expr, str] | None:
    """Owner and name of `owner.name` and `getattr(owner, "name")`."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr" and len(node.args) > 1:
        name = node.args[1]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return node.args[0], name.value
    return None


def _is_cache(node: ast.expr) -> bool:
    """`functools.cache`, `lru_cache` and `lru_cache(maxsize=None)`."""
    node = node.func if isinstance(node, ast.Call) else node
    return (getattr(node, "attr", None) or getattr(node, "id", None)) in ("cache", "lru_cache")


def _holds(node: ast.AST, names: frozenset[str], builds: frozenset[ast.Call]) -> bool:
    if isinstance(node, ast.Call):
        kept = node.args if _is_cache(node.func) else []
        return node in builds or any(_holds(n, names, builds) for n in (node.func, *kept))
    if isinstance(node, ast.Lambda):
        return _holds(node.body, names, builds)
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
