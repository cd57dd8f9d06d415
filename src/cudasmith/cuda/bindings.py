"""PYBIND11_MODULE blocks and what they export."""

from __future__ import annotations

import re

from tree_sitter import Node

from cudasmith.cuda.parameters import params_of
from cudasmith.cuda.symbols import Binding, Export, Param
from cudasmith.cuda.syntax import Tree, declarator_of, walk

_ARGUMENT = re.compile(r'(?:(?:py|pybind11)::)?arg\("(\w+)"\)|"(\w+)"_a')


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
    texts = {tree.of(n).strip('"') for n in walk(node) if n.type in ("identifier", "string_literal")}
    variable = tree.of(given[1]) if len(given) > 1 else ""
    hands_on = any(variable in _given(tree, n) for n in walk(node) if n.type == "call_expression")
    places = (*tree.bounds(node), *tree.bounds(module))
    return Binding(tree.of(module), exports, *places, words=frozenset(texts), hands_on=hands_on)


def _given(tree: Tree, call: Node) -> list[str]:
    """The arguments of a plain function call; those of a class such as py::class_ define a name, which is in the words."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or function.type not in ("identifier", "qualified_identifier") or arguments is None:
        return []
    return [tree.of(c) for c in arguments.named_children]


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
    params = _lambda_params(tree, where) if where.type == "lambda_expression" else None
    defaults = sum(_is_default(tree, c) for c in given[2:])
    names = [n for c in given[2:] if (n := _argument_name(tree, c))]
    target_name = plain[1] if plain else None
    return Export(name, target_name, *tree.bounds(where), mentions, params, defaults, tuple(names))


def _lambda_params(tree: Tree, node: Node) -> tuple[Param, ...]:
    declarator = node.child_by_field_name("declarator")
    return params_of(tree, declarator.child_by_field_name("parameters") if declarator is not None else None)


def _is_default(tree: Tree, node: Node) -> bool:
    """`py::arg("x") = 1`"""
    left = node.child_by_field_name("left") if node.type == "assignment_expression" else None
    return bool(_ARGUMENT.match(tree.of(left)))


def _argument_name(tree: Tree, node: Node) -> str:
    found = _ARGUMENT.match(tree.of(node))
    return (found[1] or found[2]) if found else ""
