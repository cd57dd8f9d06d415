"""PYBIND11_MODULE blocks and what they export."""

from __future__ import annotations

import re

from tree_sitter import Node

from cudasmith.cuda.symbols import Binding, Export
from cudasmith.cuda.syntax import Tree, declarator_of, walk


def binding_of(tree: Tree, node: Node) -> Binding:
    declarator = declarator_of(node)
    params = declarator.child_by_field_name("parameters") if declarator else None
    given = [c for c in (params.named_children if params else []) if c.type != "comment"]
    module = given[0] if given else node
    exports = tuple(
        _export(tree, n)
        for n in walk(node)
        if n.type == "call_expression" and _field(tree, n.child_by_field_name("function")) == "def"
    )
    return Binding(tree.of(module), exports, *tree.bounds(node), *tree.bounds(module))


def _field(tree: Tree, node: Node | None) -> str:
    return (
        tree.of(node.child_by_field_name("field"))
        if node is not None and node.type == "field_expression"
        else ""
    )


def _export(tree: Tree, node: Node) -> Export:
    arguments = node.child_by_field_name("arguments")
    given = [c for c in (arguments.named_children if arguments else []) if c.type != "comment"]
    name = tree.of(given[0]).strip('"') if given else ""
    target = tree.of(given[1]) if len(given) > 1 else ""
    wrapped = re.fullmatch(r"torch::wrap_pybind_function\w*\((.*)\)", target)
    plain = re.fullmatch(r"&?\s*(?:\w+::|::)*(\w+)\s*(?:<.*>)?", wrapped[1] if wrapped else target)
    where = given[1] if len(given) > 1 else node
    mentions = frozenset(tree.of(n) for n in walk(where) if n.type == "identifier")
    return Export(name, plain[1] if plain else None, *tree.bounds(where), mentions)
