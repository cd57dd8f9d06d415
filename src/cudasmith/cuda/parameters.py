"""Parameters of functions and lambdas."""

from __future__ import annotations

import re

from tree_sitter import Node

from cudasmith.cuda.symbols import Param
from cudasmith.cuda.syntax import Tree, walk


def params_of(tree: Tree, node: Node | None) -> tuple[Param, ...]:
    wanted = ("parameter_declaration", "optional_parameter_declaration")
    return tuple(_param(tree, c) for c in node.named_children if c.type in wanted) if node else ()


def _param(tree: Tree, node: Node) -> Param:
    names = (
        [
            n
            for n in walk(node.child_by_field_name("declarator") or node)
            if n.type == "identifier" and n is not node
        ]
        if node.child_by_field_name("declarator") is not None
        else []
    )
    start, end = tree.bounds(node)
    default = node.child_by_field_name("default_value")
    if default is not None:
        end = tree.bounds(default)[0]
    text = tree.text[start:end].rstrip().removesuffix("=").rstrip()
    name = tree.of(names[0]) if names else ""
    kind = text
    if names:
        at = tree.bounds(names[0])[0] - start
        kind = text[:at] + text[at + len(name) :].replace("[]", "*")
    kind = " ".join(kind.replace("__restrict__", " ").replace("__restrict", " ").split())
    return Param(re.sub(r"\s*([*&])\s*", r"\1", kind).removesuffix(" const"), name)
