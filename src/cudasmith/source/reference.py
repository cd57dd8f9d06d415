"""What of a reference file the emitted file keeps: all that building the module needs, and not forward."""

from __future__ import annotations

import ast

import attrs

from cudasmith.model import ProblemError
from cudasmith.source.names import walk
from cudasmith.source.python_text import cut, dedent, first_line, parse, replace_names
from cudasmith.source.scopes import Scopes, binds

NEW_NAME = "ModelNew"
OURS = ("KernelCall", "ModelNew", "cuda_src", "load_inline")  # names the emitted file uses itself
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@attrs.frozen
class ReferenceSource:
    """Parts of the emitted file that come from the reference, ready to be put together.

    `imports`: one statement a line, `from __future__` ones first. `preamble`: constants, functions and
    classes that the class needs, in file order. `bases`: what stands between the brackets of the
    class. `init`: the text of `__init__`, None without one. `methods`: the other methods and the class
    constants. Texts of the class stand at indentation 0; indent them with `python_text.indent`, which
    leaves multi-line strings alone. `collisions`: names in kept text that the emitted file defines too.
    """

    imports: tuple[str, ...]
    preamble: str
    bases: str
    init: str | None
    methods: tuple[str, ...]
    collisions: tuple[str, ...] = ()


def reference_source(source: str, class_name: str = "Model", *, name: str = "<reference>") -> ReferenceSource:
    """The kept parts of a reference file, by parsing alone, with the class renamed to ModelNew.

    Methods that only forward calls go with it; a method that nothing calls stays.

    Raises: ProblemError CSP040 to CSP044, when the class cannot be taken over as it stands.
    """
    tree = parse(source, name)
    lines = source.splitlines()
    model = _find_class(tree, class_name, name)
    _refuse(model, name)
    kept = _kept_members(model)
    scopes = Scopes(source, name)
    needed = set().union(*(scopes.reads(m) for m in kept), *(_names(e) for e in _header(model)))
    units = _needed_statements(tree, model, scopes, needed)
    imports = [n for n in units if isinstance(n, (ast.Import, ast.ImportFrom))]
    preamble = [_cut(lines, n, tree.body, model.name) for n in units if n not in imports]
    body = [(m, _cut(lines, m, model.body, model.name)) for m in kept]
    _refuse_relative(imports, name)
    bound = set().union(*(binds(n) for n in units if n not in imports)) | _import_names(imports, needed)
    return ReferenceSource(
        imports=_import_lines(imports, needed),
        preamble="\n\n".join(preamble),
        bases=", ".join(ast.get_source_segment(source, e) or "" for e in _header(model)),
        init=next((text for m, text in body if _is_init(m)), None),
        methods=tuple(text for m, text in body if not _is_init(m)),
        collisions=tuple(n for n in OURS if n in bound),
    )


def _find_class(tree: ast.Module, class_name: str, name: str) -> ast.ClassDef:
    """The class statement, also behind a plain alias (`Model = Net`)."""
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    for node in tree.body:
        if class_name in classes or not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Name):
            continue
        if any(_is_name(t, class_name) for t in node.targets):
            class_name = node.value.id
    if class_name not in classes:
        raise ProblemError(
            "CSP040",
            f"{class_name} is not made by a class statement at the top level of the file",
            where=name,
            help="write `class Model(nn.Module): ...`",
        )
    return classes[class_name]


def _refuse(model: ast.ClassDef, name: str) -> None:
    if model.decorator_list:
        raise ProblemError(
            "CSP041",
            f"class {model.name} has a decorator, which may replace its forward",
            where=f"{name}:{first_line(model)}",
            help="remove the decorator from the reference",
        )
    for node in walk(model):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == "forward":
            raise ProblemError(
                "CSP042",
                "a method assigns forward, so which code runs is not in the file",
                where=f"{name}:{node.lineno}",
                help="define forward with `def forward(self, ...)`",
            )


def _refuse_relative(imports: list[ast.Import | ast.ImportFrom], name: str) -> None:
    for node in imports:
        if isinstance(node, ast.ImportFrom) and node.level:
            raise ProblemError(
                "CSP043",
                f"`{ast.unparse(node)}` is relative: the emitted file stands alone and cannot follow it",
                where=f"{name}:{node.lineno}",
                help="move what Model.__init__ needs into the reference file",
            )


def _kept_members(model: ast.ClassDef) -> list[ast.stmt]:
    """Class members without forward, the docstring, `pass`, and methods that only forward reaches."""
    methods = {n.name: n for n in model.body if isinstance(n, _DEFINITIONS)}
    calls = {m: _attributes(n) & set(methods) for m, n in methods.items()}
    from_forward = _closure({"forward"}, calls)
    stays = {m for m in methods if m not in from_forward or m == "__init__"}
    keep = _closure(stays, calls) - {"forward"}
    return [n for n in model.body if _stays(n, keep)]


def _stays(node: ast.stmt, keep: set[str]) -> bool:
    if isinstance(node, _DEFINITIONS):
        return node.name in keep
    if isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return False
    return "forward" not in binds(node)


def _is_init(node: ast.stmt) -> bool:
    return isinstance(node, _DEFINITIONS) and node.name == "__init__"


def _closure(start: set[str], edges: dict[str, set[str]]) -> set[str]:
    reached, todo = set(start), list(start)
    while todo:
        for item in edges.get(todo.pop(), set()) - reached:
            reached.add(item)
            todo.append(item)
    return reached


def _needed_statements(
    tree: ast.Module, model: ast.ClassDef, scopes: Scopes, needed: set[str]
) -> list[ast.stmt]:
    """Top-level statements behind `needed`, in file order; `needed` grows by what they read in turn."""
    chosen: set[ast.stmt] = set()
    grew = True
    while grew:
        grew = False
        for node in tree.body:
            if node in chosen or node is model or _is_main_block(node):
                continue
            touched = bool(binds(node) & needed) and not _only_touches_import(node, tree)
            if touched or _always(node):
                chosen.add(node)
                needed |= scopes.reads(node)
                grew = True
    return [n for n in tree.body if n in chosen]


def _always(node: ast.stmt) -> bool:
    """`from __future__`, star imports, and torch's global settings, which change what __init__ builds."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__" or any(a.name == "*" for a in node.names)
    text = ast.unparse(node) if isinstance(node, (ast.Expr, ast.Assign)) else ""
    return text.startswith(("torch.set_", "torch.backends."))


def _only_touches_import(node: ast.stmt, tree: ast.Module) -> bool:
    """`torch.manual_seed(0)` changes no name of this file."""
    if not isinstance(node, (ast.Expr, ast.Assign)):
        return False
    stored = {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    imported = set().union(*(binds(n) for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))))
    return not stored and binds(node) <= imported


def _is_main_block(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def _import_lines(imports: list[ast.Import | ast.ImportFrom], needed: set[str]) -> tuple[str, ...]:
    lines = []
    for node in imports:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        names = [a for a in node.names if future or _import_name(a) in needed or a.name == "*"]
        if isinstance(node, ast.Import):
            lines += [ast.unparse(ast.Import([a])) for a in names]
        elif names:
            lines.append(ast.unparse(ast.ImportFrom(node.module, names, node.level)))
    return tuple(sorted(dict.fromkeys(lines), key=lambda text: "__future__" not in text))


def _import_names(imports: list[ast.Import | ast.ImportFrom], needed: set[str]) -> set[str]:
    return {_import_name(a) for n in imports for a in n.names} & needed


def _import_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _header(model: ast.ClassDef) -> list[ast.expr | ast.keyword]:
    return [*model.bases, *model.keywords]


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}


def _attributes(node: ast.AST) -> set[str]:
    return {n.attr for n in walk(node) if isinstance(n, ast.Attribute)}


def _cut(lines: list[str], node: ast.stmt, siblings: list[ast.stmt], model: str) -> str:
    text = cut(lines, node, siblings)
    first = next(line for line in text.split("\n") if not line.lstrip().startswith("#"))
    margin = first[: len(first) - len(first.lstrip())]
    return replace_names(dedent(text, margin) if margin else text, model, NEW_NAME)
