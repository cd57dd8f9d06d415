"""What happens inside a function: calls, launches, variables, operators."""

from __future__ import annotations

import re

import attrs
from tree_sitter import Node

from cudasmith.cuda.symbols import Call, Function, Launch, Operation, Variable
from cudasmith.cuda.syntax import Tree, walk

MOST = 1000  # characters of an expression that are kept: each level of a nested one holds all below it


def body_parts(tree: Tree, function: Function, body: Node) -> Function:
    """The function with its contents filled in."""
    calls: list[Call] = []
    launches: list[Launch] = []
    variables: list[Variable] = []
    operations: list[Operation] = []
    for node in walk(body):
        if node.type == "call_expression":
            launch = next((c for c in node.children if c.type == "kernel_call_syntax"), None)
            if launch is not None:
                launches.append(_launch(tree, node, launch))
            else:
                calls.append(_call(tree, node))
        elif node.type == "declaration":
            variables += _declared(tree, node)
        elif node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            variables.append(Variable("", tree.of(left, MOST), tree.of(right, MOST)))
        elif node.type == "binary_expression":
            operations.append(_operation(tree, node))
    statements = [c for c in body.named_children if c.type != "comment"]
    return attrs.evolve(
        function,
        calls=tuple(calls),
        launches=tuple(launches),
        variables=tuple(variables),
        operations=tuple(operations),
        empty=not statements,
    )


def _arguments(tree: Tree, node: Node | None) -> tuple[str, ...]:
    return tuple(tree.of(c, MOST) for c in node.named_children if c.type != "comment") if node else ()


def _launch(tree: Tree, node: Node, config: Node) -> Launch:
    parts = tuple(tree.of(c) for c in config.named_children if c.type != "comment")
    kernel = tree.of(node.child_by_field_name("function")).split("<")[0].rsplit("::", 1)[-1].strip()
    arguments = _arguments(tree, node.child_by_field_name("arguments"))
    return Launch(kernel, parts, arguments, *tree.bounds(node))


def _call(tree: Tree, node: Node) -> Call:
    function = node.child_by_field_name("function")
    arguments = _arguments(tree, node.child_by_field_name("arguments"))
    start, end = tree.bounds(node)
    if function is not None and function.type == "field_expression":
        field = function.child_by_field_name("field")
        name = re.sub(r"<.*", "", tree.of(field)).removeprefix("template ").strip()
        receiver = tree.of(function.child_by_field_name("argument"), MOST)
        return Call(name, receiver, arguments, start, end)
    name = re.sub(r"<.*", "", tree.of(function, MOST)).replace(" ", "").removeprefix("::")
    return Call(name, None, arguments, start, end)


def _declared(tree: Tree, node: Node) -> list[Variable]:
    kind = tree.of(node.child_by_field_name("type"))
    found: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        value = child.child_by_field_name("value")
        inner = child.child_by_field_name("declarator") if child.type == "init_declarator" else child
        names = [tree.of(n) for n in walk(inner) if n.type == "identifier"] if inner is not None else []
        if names:
            found.append(Variable(kind, names[0], tree.of(value, MOST)))
    return found


def _operation(tree: Tree, node: Node) -> Operation:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = tree.of(node.child_by_field_name("operator"))
    return Operation(operator, tree.of(left, MOST), tree.of(right, MOST), *tree.bounds(node))
