"""Collects the symbols of a translation unit from its syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs
from tree_sitter import Node

from cudasmith.cuda.bindings import binding_of
from cudasmith.cuda.bodies import body_parts
from cudasmith.cuda.conditionals import live
from cudasmith.cuda.parameters import params_of
from cudasmith.cuda.shared import find_shared
from cudasmith.cuda.statements import Declared, Expr, parsed, statement
from cudasmith.cuda.symbols import Binding, Function, Launch, Symbols
from cudasmith.cuda.syntax import Tree, declarator_of, faults

_LAUNCH = re.compile(r"\b(\w+)\s*(?:<[^<>;]{0,200}>)?\s*<<<(.{0,2000}?)>>>", re.DOTALL)


def symbols(text: str) -> Symbols:
    """The symbols of what is compiled of one translation unit. Never fails: what cannot be read is in `faults`."""
    text = live(text)
    tree = Tree(text)
    found = Symbols(faults=faults(tree))
    functions: list[Function] = []
    bindings: list[Binding] = []
    libraries: list[str] = []
    includes: list[str] = []
    places: dict[str, tuple[int, int]] = {}
    macros: dict[str, str] = {}
    top: set[str] = set()
    variables: list[Declared] = []
    for node in _outer(tree.root):
        if node.type == "preproc_include":
            path = node.child_by_field_name("path")
            includes.append(tree.of(path).strip('<>"'))
            places[includes[-1]] = tree.bounds(path or node)
        elif node.type in ("preproc_def", "preproc_function_def"):
            macros[tree.of(node.child_by_field_name("name"))] = tree.of(node)
        elif _macro_block(tree, node, "PYBIND11_MODULE"):
            bindings.append(binding_of(tree, node))
        elif _macro_block(tree, node, "TORCH_LIBRARY"):
            libraries.append(_first_parameter(tree, node))
        elif node.type in ("function_definition", "declaration") and declarator_of(node):
            functions.append(_function(tree, node))
        else:
            if node.type == "declaration":
                variables += statement(tree, node).declared
            top |= {word for word, _ in tree.words(node)}
    meant = {n: m for n, body in macros.items() if (m := _macro(body)) is not None}
    return attrs.evolve(
        found,
        functions=tuple(functions),
        bindings=tuple(bindings),
        libraries=tuple(libraries),
        includes=tuple(includes),
        include_places=places,
        macros=macros,
        macro_launches=tuple(_macro_launch(m) for body in macros.values() for m in _LAUNCH.finditer(body)),
        globals=tuple(variables),
        constants={n: e for n, (p, e) in meant.items() if p is None},
        macro_functions={n: (p, e) for n, (p, e) in meant.items() if p is not None},
        top_words=frozenset(top),
        words=_words(tree, macros),
        shared=tuple(find_shared(text)),
    )


def _macro(definition: str) -> tuple[tuple[str, ...] | None, Expr] | None:
    """Parameters (None without a list of them) and expression of a macro that is one expression."""
    found = re.match(r"#\s*define\s+\w+(\([^()]*\))?\s+(.+)", definition.replace("\\", " "))
    if found is None or re.search(r"[;{}#\"]", found[2]):
        return None
    names = tuple(n.strip() for n in found[1].strip("()").split(",")) if found[1] else None
    value = parsed(re.sub(r"//.*|/\*.*?\*/", "", found[2]))
    return None if value is None else (names, value)


def _words(tree: Tree, macros: Mapping[str, str]) -> dict[str, int]:
    """Every identifier with its first place; those in macros at 0."""
    words = {w: 0 for body in macros.values() for w in re.findall(r"[A-Za-z_]\w*", body)}
    for word, place in tree.words(tree.root):
        words.setdefault(word, place)
    return words


def _macro_launch(found: re.Match[str]) -> Launch:
    config = tuple(part.strip() for part in found[2].split(","))
    return Launch(found[1], config, (), 0, 0, in_macro=True)


_CONTAINERS = (
    "translation_unit",
    "namespace_definition",
    "declaration_list",
    "linkage_specification",
    "template_declaration",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
    "ERROR",
)


def _outer(root: Node) -> Iterator[Node]:
    """Nodes at namespace level."""
    stack = list(reversed(root.children))
    while stack:
        node = stack.pop()
        if node.type in _CONTAINERS:
            stack += reversed(node.children)
        elif node.is_named and node.type not in ("comment", "template_parameter_list"):
            yield node


def _function(tree: Tree, node: Node) -> Function:
    declarator = declarator_of(node)
    assert declarator is not None
    name = declarator.child_by_field_name("declarator")
    outer = node.child_by_field_name("declarator")
    stars = "" if outer is None or name is None else tree.text[tree.bounds(outer)[0] : tree.bounds(name)[0]]
    kind = node.child_by_field_name("type")
    plain = [c for c in node.children if c.child_count == 0 or c.type == "storage_class_specifier"]
    marks = {c.type for c in node.children} | {tree.of(c) for c in plain}
    body = node.child_by_field_name("body")
    holder = node.parent if node.parent is not None and node.parent.type == "template_declaration" else None
    start, end = tree.bounds(holder or node)
    spaces = _namespaces(tree, node)
    written = tree.of(name).split("<")[0].rpartition("::")[0]
    base = Function(
        name=tree.of(name).split("<")[0].rsplit("::", 1)[-1],
        returns=tree.of(kind) + stars.replace(" ", ""),
        params=params_of(tree, declarator.child_by_field_name("parameters")),
        start=start,
        end=end,
        name_start=tree.bounds(name)[0] if name is not None else start,
        is_definition=body is not None,
        is_kernel="__global__" in marks,
        is_device=bool({"__device__", "__constant__"} & marks) and "__host__" not in marks,
        template=tree.of(holder.child_by_field_name("parameters")) if holder is not None else "",
        words=frozenset(word for word, _ in tree.words(node)),
        namespace="::".join([*(s for s in spaces if s), *([written] if written else [])]),
        internal="static" in marks or "" in spaces,
        inline=bool({"inline", "__forceinline__", "constexpr"} & marks),
        c_linkage=_c_linkage(node),
        head_start=tree.bounds(node)[0],
        head_end=tree.bounds(body)[0] if body is not None else tree.bounds(node)[1],
    )
    return body_parts(tree, base, body) if body is not None else base


def _namespaces(tree: Tree, node: Node) -> list[str]:
    """Names of the namespaces around a node, from the outside in; empty for one without a name."""
    found: list[str] = []
    parent = node.parent
    while parent is not None:
        if parent.type == "namespace_definition":
            found.append(tree.of(parent.child_by_field_name("name")))
        parent = parent.parent
    return found[::-1]


def _c_linkage(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type != "linkage_specification":
        parent = parent.parent
    return parent is not None


def _first_parameter(tree: Tree, node: Node) -> str:
    """What stands first in the brackets of a macro block: `mine` of TORCH_LIBRARY(mine, m)."""
    declarator = declarator_of(node)
    params = declarator.child_by_field_name("parameters") if declarator is not None else None
    return tree.of(params.named_children[0]) if params is not None and params.named_children else ""


def _macro_block(tree: Tree, node: Node, name: str) -> bool:
    declarator = declarator_of(node) if node.type in ("function_definition", "declaration") else None
    head = tree.of(declarator.child_by_field_name("declarator")) if declarator else ""
    return head == name or (name == "TORCH_LIBRARY" and head.startswith(name))
