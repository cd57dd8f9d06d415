"""What happens inside a function: calls, launches, variables, operators."""

from __future__ import annotations

import re

import attrs
from tree_sitter import Node

from cudasmith.cuda.statements import statement
from cudasmith.cuda.symbols import Call, Function, Launch, Operation, Variable
from cudasmith.cuda.syntax import Tree, walk

MOST = 1000  # characters of an expression that are kept: each level of a nested one holds all below it


def body_parts(tree: Tree, function: Function, body: Node) -> Function:
    """The function with its contents filled in."""
    calls: list[Call] = []
    launches: list[Launch] = []
    variables: list[Variable] = []
    operations: list[Operation] = []
    for node in tree.nodes(body):
        if node.type == "call_expression":
            launch = next((c for c in node.children if c.type == "kernel_call_syntax"), None)
            if launch is not None:
                launches.append(_launch(tree, node, launch))
            else:
                calls.append(_call(tree, node))
        elif node.type == "declaration":
            variables += _declared(tree, node)
        elif node.type == "assignment_expression":
            variables.append(_assigned(tree, node))
        elif node.type == "update_expression":
            at = node.child_by_field_name("argument")
            variables.append(
                Variable("", tree.of(at), "", *tree.bounds(node), operator="++", in_loop=_in_loop(node))
            )
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
        body=statement(tree, body),
    )


def _arguments(tree: Tree, node: Node | None) -> tuple[str, ...]:
    return tuple(tree.of(c, MOST) for c in node.named_children if c.type != "comment") if node else ()


def _launch(tree: Tree, node: Node, config: Node) -> Launch:
    parts = tuple(tree.of(c) for c in config.named_children if c.type != "comment")
    head, _, template = tree.of(node.child_by_field_name("function")).partition("<")
    kernel = head.rsplit("::", 1)[-1].strip()
    arguments = _arguments(tree, node.child_by_field_name("arguments"))
    return Launch(kernel, parts, arguments, *tree.bounds(node), template=template.rstrip(" >"))


def _call(tree: Tree, node: Node) -> Call:
    function = node.child_by_field_name("function")
    arguments = _arguments(tree, node.child_by_field_name("arguments"))
    member = function is not None and function.type == "field_expression"
    named = function.child_by_field_name("field") if function is not None and member else function
    receiver = (
        tree.of(function.child_by_field_name("argument"), MOST) if function is not None and member else None
    )
    head, _, template = tree.of(named, MOST).removeprefix("template ").partition("<")
    name = head.replace(" ", "").removeprefix("::")
    cast, outer = _cast(tree, node)
    return Call(
        name,
        receiver,
        arguments,
        *tree.bounds(node),
        template.removesuffix(">").strip(),
        *tree.bounds(named or node),
        cast,
        *tree.bounds(outer),
    )


def _cast(tree: Tree, node: Node) -> tuple[str, Node]:
    """The innermost type that an expression is converted to, and the expression with all its casts."""
    kind, outer, parent = "", node, node.parent
    while parent is not None:
        call = parent.parent if parent.type == "argument_list" else None
        written = tree.of(call.child_by_field_name("function"), MOST) if call is not None else ""
        if parent.type == "cast_expression":
            kind = kind or tree.of(parent.child_by_field_name("type"))
        elif call is not None and (found := re.match(r"(?:static|reinterpret|const)_cast<(.*)>$", written)):
            kind, parent = kind or found[1], call
        elif parent.type != "parenthesized_expression":
            break
        outer, parent = parent, parent.parent
    return kind, outer


def _in_loop(node: Node) -> bool:
    """Whether it stands in the body of a loop; the head of `for` counts as well."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        if parent.type in ("for_statement", "while_statement", "do_statement", "for_range_loop"):
            return True
        parent = parent.parent
    return False


def _assigned(tree: Tree, node: Node) -> Variable:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = tree.of(node.child_by_field_name("operator")) or "="
    bounds = tree.bounds(right) if right is not None else tree.bounds(node)
    return Variable(
        "", tree.of(left, MOST), tree.of(right, MOST), *bounds, operator=operator, in_loop=_in_loop(node)
    )


def _declared(tree: Tree, node: Node) -> list[Variable]:
    kind = tree.of(node.child_by_field_name("type"))
    found: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        value = child.child_by_field_name("value")
        inner = child.child_by_field_name("declarator") if child.type == "init_declarator" else child
        names = [tree.of(n) for n in walk(inner) if n.type == "identifier"] if inner is not None else []
        if names and inner is not None:
            places = tree.bounds(value) if value is not None else tree.bounds(child)
            kinds = {n.type for n in walk(inner)}
            pointer, array = "pointer_declarator" in kinds, "array_declarator" in kinds
            found.append(
                Variable(
                    kind,
                    names[0],
                    tree.of(value, MOST),
                    *places,
                    in_loop=_in_loop(node),
                    pointer=pointer,
                    array=array,
                )
            )
    return found


def _operation(tree: Tree, node: Node) -> Operation:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = tree.of(node.child_by_field_name("operator"))
    return Operation(operator, tree.of(left, MOST), tree.of(right, MOST), *tree.bounds(node))
