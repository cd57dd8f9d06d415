"""Function bodies as plain statements and expressions, for questions about control flow and arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import attrs
from tree_sitter import Node

from cudasmith.cuda.syntax import Tree

_CASTS = (
    "static_cast",
    "reinterpret_cast",
    "const_cast",
    "int64_t",
    "size_t",
    "uint32_t",
    "int32_t",
    "uint64_t",
)

_DEEPEST = 100  # of statements and expressions in one another: further down everything is `other`


@attrs.frozen
class Expr:
    """One expression. `op` by kind: the name, the number's text, the operator, the callee, the field, the type.

    kinds: name, number, binary, unary, assign, update, call, method (parts: receiver, arguments), member,
    index (parts: array, subscripts), choice (parts: condition, two values), cast, sizeof, list (braces),
    launch (parts: list of the configuration, list of the arguments), lambda (`body`), other.
    """

    kind: str
    op: str
    parts: tuple[Expr, ...]
    start: int
    end: int
    text: str
    body: Stmt | None = None
    type: str = ""  # first template argument of a call: `data_ptr<float>`

    def walk(self, lambdas: bool = True) -> Iterator[Expr]:
        """The expression and all below it, in the order of the text."""
        stack = [self]
        while stack:
            expr = stack.pop()
            yield expr
            if lambdas and expr.body is not None:
                stack += reversed([e for statement in expr.body.walk() for e in statement.own()])
            stack += reversed(expr.parts)


@attrs.frozen
class Declared:
    """One variable of a declaration. `dims`: of an array; an empty text for `[]`."""

    type: str
    name: str
    value: Expr | None
    dims: tuple[str, ...]
    pointer: bool
    shared: bool
    static: bool
    start: int
    end: int


@attrs.frozen
class Stmt:
    """One statement.

    kinds: block (bodies), declare, expr, if (exprs: condition; bodies: then, else), loop (init, exprs: condition,
    step; bodies: one; `op` for, while, do), switch, case, return, break, continue, other.
    """

    kind: str
    start: int
    end: int
    exprs: tuple[Expr, ...] = ()
    bodies: tuple[Stmt, ...] = ()
    declared: tuple[Declared, ...] = ()
    init: Stmt | None = None
    step: Expr | None = None
    op: str = ""

    def walk(self) -> Iterator[Stmt]:
        """The statement and all in it, without bodies of lambdas."""
        stack = [self]
        while stack:
            statement = stack.pop()
            yield statement
            stack += reversed(statement.bodies)
            if statement.init is not None:
                stack.append(statement.init)

    def own(self) -> Iterator[Expr]:
        """Its expressions, without those of the statements in it."""
        yield from self.exprs
        if self.step is not None:
            yield self.step
        yield from (d.value for d in self.declared if d.value is not None)

    @cached_property
    def own_at_every_depth(self) -> tuple[Expr, ...]:
        """Its expressions and all below them."""
        return tuple(e for own in self.own() for e in own.walk())

    def expressions(self) -> Iterator[Expr]:
        """Every expression in it, at every depth."""
        for statement in self.walk():
            yield from statement.own_at_every_depth


def statement(tree: Tree, node: Node) -> Stmt:
    """The statement of a node of the syntax tree. What is not known is `other`, with its text only."""
    tree.level += 1
    try:
        return _statement(tree, node) if tree.level < _DEEPEST else Stmt("other", *tree.bounds(node))
    finally:
        tree.level -= 1


def _statement(tree: Tree, node: Node) -> Stmt:
    start, end = tree.bounds(node)
    kind = node.type
    if kind in ("compound_statement", "else_clause", "case_statement", "declaration_list"):
        skip = 1 if kind == "case_statement" and node.child_by_field_name("value") else 0
        inner = tuple(statement(tree, c) for c in node.named_children[skip:] if c.type != "comment")
        if kind == "else_clause" and len(inner) == 1:
            return inner[0]
        return Stmt("case" if kind == "case_statement" else "block", start, end, bodies=inner)
    if kind == "declaration":
        return Stmt("declare", start, end, declared=_declared(tree, node))
    if kind == "expression_statement":
        return Stmt("expr", start, end, exprs=_children(tree, node))
    if kind in ("if_statement", "switch_statement"):
        return _branch(tree, node)
    if kind in ("for_statement", "while_statement", "do_statement", "for_range_loop"):
        return _loop(tree, node)
    if kind in ("return_statement", "break_statement", "continue_statement", "throw_statement"):
        return Stmt(kind.partition("_")[0], start, end, exprs=_children(tree, node))
    if kind.startswith("preproc_if") or kind in ("preproc_else", "labeled_statement", "attributed_statement"):
        bodies = tuple(statement(tree, c) for c in node.named_children if c.type != "comment")
        return Stmt("block", start, end, bodies=bodies)
    return Stmt("other", start, end)


def parsed(text: str) -> Expr | None:
    """The expression that a text is; None when it is none."""
    tree = Tree(f"auto v = {text};")
    node = tree.root.named_children[0] if tree.root.named_children else None
    if node is None or node.type != "declaration" or tree.root.has_error:
        return None
    declared = _declared(tree, node)
    return declared[0].value if len(declared) == 1 else None


def _branch(tree: Tree, node: Node) -> Stmt:
    start, end = tree.bounds(node)
    condition = node.child_by_field_name("condition")
    fields = ("consequence", "alternative") if node.type == "if_statement" else ("body",)
    bodies = [node.child_by_field_name(f) for f in fields]
    return Stmt(
        node.type.partition("_")[0],
        start,
        end,
        exprs=(expression(tree, condition),) if condition is not None else (),
        bodies=tuple(statement(tree, b) for b in bodies if b is not None),
        op="constexpr" if any(c.type == "constexpr" for c in node.children) else "",
    )


def _loop(tree: Tree, node: Node) -> Stmt:
    start, end = tree.bounds(node)
    condition = node.child_by_field_name("condition") or node.child_by_field_name("right")
    body = node.child_by_field_name("body")
    step = node.child_by_field_name("update")
    initial = node.child_by_field_name("initializer")
    init = None
    if initial is not None:
        is_statement = initial.type in ("declaration", "expression_statement")
        init = (
            statement(tree, initial)
            if is_statement
            else Stmt("expr", *tree.bounds(initial), exprs=(expression(tree, initial),))
        )
    return Stmt(
        "loop",
        start,
        end,
        exprs=(expression(tree, condition),) if condition is not None else (),
        bodies=(statement(tree, body),) if body is not None else (),
        init=init,
        step=expression(tree, step) if step is not None else None,
        op=node.type.partition("_")[0] if node.type != "for_range_loop" else "range",
    )


def _declared(tree: Tree, node: Node) -> tuple[Declared, ...]:
    kind = tree.of(node.child_by_field_name("type"))
    marks = {tree.of(c) for c in node.children if c.type in ("type_qualifier", "storage_class_specifier")}
    found = []
    for child in node.children_by_field_name("declarator"):
        value = child.child_by_field_name("value") if child.type == "init_declarator" else None
        at = child.child_by_field_name("declarator") if child.type == "init_declarator" else child
        dims: list[str] = []
        pointer = False
        while at is not None and at.type not in ("identifier", "structured_binding_declarator"):
            if at.type == "array_declarator":
                dims.insert(0, tree.of(at.child_by_field_name("size")))
            pointer |= at.type == "pointer_declarator"
            inner = at.child_by_field_name("declarator")
            at = inner if inner is not None else (at.named_children[-1] if at.named_children else None)
        given = _value(tree, kind, value) if value is not None else None
        names = at.named_children if at is not None and at.type == "structured_binding_declarator" else [at]
        for i, name in enumerate(names):
            if name is None:
                continue
            part = given if len(names) == 1 or given is None else _member_of(given, i)
            found.append(
                Declared(
                    kind,
                    tree.of(name),
                    part,
                    tuple(dims),
                    pointer,
                    "__shared__" in marks,
                    "static" in marks,
                    *tree.bounds(child),
                )
            )
    return tuple(found)


def _value(tree: Tree, kind: str, node: Node) -> Expr:
    """An initial value; `dim3 g(a, b)` and `T x{a}` give a list."""
    if node.type == "argument_list":
        parts = tuple(expression(tree, c) for c in node.named_children if c.type != "comment")
        if len(parts) == 1 and kind != "dim3":
            return parts[0]
        return Expr("list", "", parts, *tree.bounds(node), tree.of(node))
    return expression(tree, node)


def _member_of(value: Expr, index: int) -> Expr:
    return Expr("member", f"[{index}]", (value,), value.start, value.end, value.text)


def _children(tree: Tree, node: Node) -> tuple[Expr, ...]:
    return tuple(expression(tree, c) for c in node.named_children if c.type != "comment")


def expression(tree: Tree, node: Node) -> Expr:
    """The expression of a node of the syntax tree, without its parentheses."""
    tree.level += 1
    try:
        if tree.level < _DEEPEST:
            return _expression(tree, node)
        return Expr("other", "", (), *tree.bounds(node), tree.of(node))
    finally:
        tree.level -= 1


def _expression(tree: Tree, node: Node) -> Expr:
    kind = node.type
    if kind in ("parenthesized_expression", "condition_clause") and node.named_children:
        inner = [c for c in node.named_children if c.type != "comment"]
        return expression(tree, inner[-1])
    start, end, text = *tree.bounds(node), tree.of(node)

    def made(name: str, op: str, *parts: Node | None, type: str = "") -> Expr:
        children = tuple(expression(tree, p) for p in parts if p is not None)
        return Expr(name, op, children, start, end, text, type=type)

    field = node.child_by_field_name
    if kind in ("identifier", "qualified_identifier", "field_identifier", "this", "true", "false"):
        return made("name", re.sub(r"\s+|<.*", "", text).removeprefix("::"))
    if kind == "number_literal":
        return made("number", text)
    if kind == "binary_expression":
        return made("binary", tree.of(field("operator")), field("left"), field("right"))
    if kind in ("unary_expression", "pointer_expression"):
        return made("unary", tree.of(field("operator")), field("argument"))
    if kind == "assignment_expression":
        return made("assign", tree.of(field("operator")), field("left"), field("right"))
    if kind == "update_expression":
        return made("update", tree.of(field("operator")), field("argument"))
    if kind == "conditional_expression":
        return made("choice", "?", field("condition"), field("consequence"), field("alternative"))
    if kind == "cast_expression":
        return made("cast", tree.of(field("type")), field("value"))
    if kind == "sizeof_expression":
        return made("sizeof", tree.of(field("type") or field("value")).strip("()"))
    if kind == "field_expression":
        return made("member", tree.of(field("field")), field("argument"))
    if kind == "subscript_expression":
        indices = field("indices")
        return made(
            "index", "[]", field("argument"), *(indices.named_children if indices is not None else ())
        )
    if kind in ("initializer_list", "argument_list"):
        return made("list", "", *(c for c in node.named_children if c.type != "comment"))
    if kind == "comma_expression":
        return made("list", ",", field("left"), field("right"))
    if kind == "lambda_expression":
        body = field("body")
        return Expr("lambda", "", (), start, end, text, statement(tree, body) if body is not None else None)
    if kind == "call_expression":
        return _call(tree, node, start, end, text)
    if kind == "compound_literal_expression":  # dim3{a, b}
        value = field("value")
        return made("call", tree.of(field("type")), *(value.named_children if value is not None else ()))
    if kind == "declaration":  # `if (int n = f())`
        return Expr("other", "", (), start, end, text)
    return Expr("other", "", tuple(expression(tree, c) for c in node.named_children), start, end, text)


def _call(tree: Tree, node: Node, start: int, end: int, text: str) -> Expr:
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    arguments = tuple(
        expression(tree, c)
        for c in (given.named_children if given is not None else ())
        if c.type != "comment"
    )
    config = next((c for c in node.children if c.type == "kernel_call_syntax"), None)
    callee = tree.of(function)
    bare = re.sub(r"\s+|<.*", "", callee).removeprefix("::")
    if config is not None:
        parts = tuple(expression(tree, c) for c in config.named_children if c.type != "comment")
        lists = (Expr("list", "", p, start, end, text) for p in (parts, arguments))
        return Expr("launch", bare.rsplit("::", 1)[-1], tuple(lists), start, end, text)
    types = re.search(r"<\s*([^<>]*(?:<[^<>]*>)?[^<>]*?)\s*>\s*$", callee)
    kind = types[1] if types else ""
    if function is not None and function.type == "field_expression":
        receiver = function.child_by_field_name("argument")
        name = (
            re.sub(r"<.*", "", tree.of(function.child_by_field_name("field")))
            .removeprefix("template ")
            .strip()
        )
        first = (expression(tree, receiver),) if receiver is not None else ()
        return Expr("method", name, (*first, *arguments), start, end, text, type=kind)
    if len(arguments) == 1 and (
        bare in _CASTS or (function is not None and function.type == "primitive_type")
    ):
        return Expr("cast", kind if bare.endswith("_cast") else bare, arguments, start, end, text)
    return Expr("call", bare, arguments, start, end, text, type=kind)
