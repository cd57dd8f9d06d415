"""Which Python expressions make PyTorch compute something, and which only allocate, view or convert."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from cudasmith.rules._kinds import kind, torch_function
from cudasmith.rules._torch_names import (
    COMPUTE_METHODS,
    NO_COMPUTE_MODULES,
)
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import walk

_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}


@attrs.frozen
class Compute:
    """One place where PyTorch computes; `what` as a user would write it."""

    node: ast.expr
    what: str


def torch_module(dotted: str | None) -> str | None:
    """Name of an nn module class that computes when called."""
    if not dotted or not dotted.startswith("torch.nn.") or dotted.count(".") not in (2, 4):
        return None
    name = dotted.rsplit(".", 1)[-1]
    return name if name[:1].isupper() and name not in NO_COMPUTE_MODULES else None


def torch_computes(file: FileModel, root: ast.AST) -> Iterator[Compute]:
    """Every place at or below `root` where PyTorch computes, as far as it is certain."""
    for node in walk(root):
        if isinstance(node, ast.Call):
            found = _call(file, node)
            if found:
                yield Compute(node, found)
        elif isinstance(node, ast.BinOp):
            symbol = "@" if isinstance(node.op, ast.MatMult) else _OPERATORS.get(type(node.op), "")
            kinds = {kind(file, node.left), kind(file, node.right)}
            if symbol == "@" or (symbol and "tensor" in kinds):
                yield Compute(node, f"the operator {symbol}")
        elif isinstance(node, ast.UnaryOp) and _negates_elements(file, node):
            yield Compute(node, "the operator -")
        elif isinstance(node, ast.Compare) and _compares_elements(file, node):
            yield Compute(node, "a comparison")


def _negates_elements(file: FileModel, node: ast.UnaryOp) -> bool:
    return isinstance(node.op, (ast.USub, ast.Invert)) and kind(file, node.operand) == "tensor"


def _compares_elements(file: FileModel, node: ast.Compare) -> bool:
    """A comparison that gives a tensor. What an `assert` or `if` asks is one truth value."""
    if isinstance(file.parent.get(node), (ast.Assert, ast.If, ast.IfExp, ast.While, ast.BoolOp)):
        return False
    asks = any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops)
    return not asks and kind(file, node.left) == "tensor"


def _call(file: FileModel, node: ast.Call) -> str | None:
    if file.handles.exported(node) is not None:
        return None
    dotted = file.dotted(node.func)
    name = torch_function(dotted)
    if name:
        return f"{dotted}()"
    built = node.func if isinstance(node.func, ast.Call) else None  # nn.ReLU()(x)
    if built and torch_module(file.dotted(built.func)):
        return f"{file.dotted(built.func)}"
    if isinstance(node.func, ast.Attribute) and dotted is None:
        module = _module(file, node.func)
        if module:
            return f"self.{node.func.attr} ({module})"
        if node.func.attr in COMPUTE_METHODS and kind(file, node.func.value) != "number":
            return f".{node.func.attr}()"
    return None


def _module(file: FileModel, node: ast.Attribute) -> str | None:
    """The computing nn class behind `self.x(...)`, looked up where self.x is assigned."""
    if not isinstance(node.value, ast.Name) or node.value.id != "self":
        return None
    for value in file.bound.get(node.attr, ()):
        for call in walk(value):
            found = torch_module(file.dotted(call.func)) if isinstance(call, ast.Call) else None
            if found:
                return f"nn.{found}"
    return None
