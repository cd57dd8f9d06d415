"""Whether what a function returns can have been made by a kernel that it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudasmith.cuda import host
from cudasmith.cuda.host import Pointer
from cudasmith.cuda.outputs import writes
from cudasmith.rules._kinds import called, kind
from cudasmith.rules._subject import Subject, Unit
from cudasmith.rules._torch_names import COMPUTE_METHODS, NO_COMPUTE_FUNCTIONS, NUMBER_METHODS
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function, walk
from cudasmith.source.reach import is_autograd_function

_TORCH_METHODS = COMPUTE_METHODS | NO_COMPUTE_FUNCTIONS | NUMBER_METHODS
_BUILTINS = ("int", "float", "bool", "len", "tuple", "list", "min", "max", "range", "isinstance")
_PUTS = ("append", "extend", "insert")


def thrown_away(subject: Subject) -> Iterator[ast.Call]:
    """Calls of kernels in functions that forward runs, whose returned values no kernel can have made or changed."""
    file = subject.file
    if _may_write(subject):
        return
    defined = frozenset(n.name for n in file.nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef)))
    for function in file.reach.forward:
        calls = [n for n in walk(function) if isinstance(n, ast.Call) and _runs_kernel(file, n)]
        returned = [n.value for n in walk(function) if isinstance(n, ast.Return) and n.value is not None]
        if not calls or not returned:
            continue
        made_of = [n for e in _made_of(file, function, returned) for n in walk(e)]
        if any(_may_be_kernel(file, n, defined) for n in made_of):
            continue
        params = {a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
        given = {n.id for c in calls for a in c.args for n in walk(a) if isinstance(n, ast.Name)}
        if not (given - params) & {n.id for n in made_of if isinstance(n, ast.Name)}:
            yield calls[0]


def _runs_kernel(file: FileModel, node: ast.Call) -> bool:
    if file.handles.exported(node) is not None:
        return True
    applied = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "apply" else None
    owners = [c for c in file.classes if c.name == getattr(applied, "id", "")]
    return any(is_autograd_function(c, file.imported) for c in owners)


def _made_of(file: FileModel, function: Function, returned: Sequence[ast.expr]) -> list[ast.expr]:
    """The expressions that may go into the returned ones, through variables of the function and attributes."""
    put = _put(function)
    overwritten = _overwritten(function)
    found = list(returned)
    seen: set[str] = set()
    for expr in found:  # grows meanwhile
        for node in walk(expr):
            name = getattr(node, "attr", None) or getattr(node, "id", None)
            if isinstance(name, str) and name not in seen:
                seen.add(name)
                own = isinstance(node, ast.Name)
                values = file.assigned(function, name) if own else file.bound.get(name, ())
                found += (v for v in values if v not in overwritten)
                found += put.get(name, ())
    return found


def _overwritten(function: Function) -> set[ast.expr]:
    """Values of plain assignments to a name that gets another value in the same block before anything reads it."""
    nodes = list(walk(function))
    if any(isinstance(n, (ast.Try, ast.Lambda, ast.FunctionDef)) and n is not function for n in nodes):
        return set()  # a handler or an inner function may read it in between
    blocks = [getattr(n, field, []) for n in nodes for field in ("body", "orelse")]
    found: set[ast.expr] = set()
    for block in (b for b in blocks if isinstance(b, list)):
        pending: dict[str, ast.expr] = {}  # name -> its value that nothing has read yet
        for statement in block:
            target, value = _plain(statement)
            for name in {n.id for n in walk(statement) if isinstance(n, ast.Name)} & set(pending):
                if name == target and not _reads(statement, name):
                    found.add(pending[name])
                del pending[name]
            if any(isinstance(n, (ast.Break, ast.Continue)) for n in walk(statement)):
                pending.clear()  # what comes behind it in the block may not run
            if target is not None and value is not None:
                pending[target] = value
    return found


def _plain(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    """Name and value of `name = value`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None, None
    return getattr(statement.targets[0], "id", None), statement.value


def _reads(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in walk(statement)
    )


def _put(function: Function) -> dict[str, list[ast.expr]]:
    """Name -> what is put into it other than by plain assignment: items, loops, `with`, methods that change it."""
    found: dict[str, list[ast.expr]] = {}

    def add(target: ast.AST | None, values: Sequence[ast.expr]) -> None:
        for node in walk(target) if target is not None else ():
            name = getattr(node, "attr", None) or getattr(node, "id", None)
            if isinstance(name, str):
                found.setdefault(name, []).extend(values)

    for node in walk(function):
        if isinstance(node, ast.Assign):
            for target in (t for t in node.targets if isinstance(t, ast.Subscript)):
                add(target.value, [node.value])
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            add(node.target, [node.iter])
        elif isinstance(node, ast.withitem):
            add(node.optional_vars, [node.context_expr])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _PUTS or node.func.attr.endswith("_"):
                add(node.func.value, node.args)
        elif isinstance(node, ast.Call):
            for keyword in (k for k in node.keywords if k.arg == "out"):
                add(keyword.value, [node])
    return found


def _may_be_kernel(file: FileModel, node: ast.AST, defined: frozenset[str]) -> bool:
    """A call that is not known to be PyTorch's or Python's own, or a function of the file that is handed on."""
    if isinstance(node, ast.Name):
        return node.id in defined
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom))
    if _runs_kernel(file, node):
        return True
    name = called(file, node.func)
    if name is not None:
        return not name.startswith("torch.") or name.startswith(("torch.ops.", "torch.utils."))
    if isinstance(node.func, ast.Attribute):
        return node.func.attr not in _TORCH_METHODS or kind(file, node.func.value) == "unknown"
    return getattr(node.func, "id", "") not in _BUILTINS


def _may_write(subject: Subject) -> bool:
    """Whether some function that is called may write into a tensor it is given, or cannot be read."""
    used = {c.function for c in subject.file.handles.calls}
    seen: set[str] = set()
    for unit in subject.units:
        if unit.opaque:
            return True
        for exported, _, function in unit.hosts():
            seen.add(exported.name)
            if exported.name in used and (
                "Tensor" not in function.returns or _writes_given(unit, function.name)
            ):
                return True
    return bool(used - seen)


def _writes_given(unit: Unit, name: str) -> bool:
    found = unit.definition(name)
    if found is None:
        return True
    for launch in host.run([p.symbols for p in unit.parts], found[1]).launches:
        kernel = unit.kernel(launch.kernel)
        for at, given in enumerate(launch.arguments):
            if kernel is None or at >= len(kernel[1].params):
                return True
            own = isinstance(given, Pointer) and given.tensor.param is not None
            if own and writes(kernel[1], kernel[1].params[at].name):
                return True
    return False
