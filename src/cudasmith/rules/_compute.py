"""Which Python expressions make PyTorch compute something, and which only allocate, view or convert."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

import attrs

from cudasmith.rules._kinds import called, kind, torch_function
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
    dotted = called(file, node.func)
    name = torch_function(dotted)
    if name:
        return f"{dotted}()"
    if (dotted or "").startswith("operator.") and any(kind(file, a) == "tensor" for a in node.args):
        return f"{dotted}()"
    method = _method_by_name(file, node.func)
    if method in COMPUTE_METHODS:
        return f".{method}()"
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


def _method_by_name(file: FileModel, func: ast.expr) -> str | None:
    """`relu` of `getattr(x, "relu")`, x being no number and no module."""
    if not isinstance(func, ast.Call) or getattr(func.func, "id", "") != "getattr" or len(func.args) < 2:
        return None
    owner = func.args[0]
    plain = getattr(owner, "id", "") == "self" or file.handles.holds(owner) or kind(file, owner) == "number"
    return None if plain else file.constant_text(func.args[1])


def hidden_call(file: FileModel, node: ast.Call) -> bool:
    """Whether a function of torch or a method of a tensor is looked up by a name that the file does not tell."""
    func = node.func
    if isinstance(func, ast.Name):  # f = getattr(torch, name)
        values = file.assigned(file.enclosing(node), func.id)
        func = values[0] if len(values) == 1 else func
    if isinstance(func, ast.Call) and getattr(func.func, "id", "") == "getattr" and len(func.args) > 1:
        owner = func.args[0]
        of_torch = (file.dotted(owner) or "").split(".")[0] == "torch" or kind(file, owner) == "tensor"
        return of_torch and file.constant_text(func.args[1]) is None
    if isinstance(func, ast.Subscript):  # torch.__dict__["relu"], vars(torch)["relu"]
        return any((file.dotted(n) or "").split(".")[0] == "torch" for n in walk(func.value) if _named(n))
    return False


def _named(node: ast.AST) -> TypeGuard[ast.expr]:
    return isinstance(node, (ast.Name, ast.Attribute))


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
