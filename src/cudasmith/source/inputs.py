"""What a file says of the tensors that its model is called with: get_inputs, and where each of them goes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function, ancestors, walk
from cudasmith.source.reach import is_autograd_function

# dtype names of torch and methods that convert -> the C++ type that data_ptr<T> needs.
DTYPES = {
    "float": "float",
    "float32": "float",
    "double": "double",
    "float64": "double",
    "half": "half",
    "float16": "half",
    "bfloat16": "bfloat16",
    "int": "int",
    "int32": "int",
    "long": "long",
    "int64": "long",
    "short": "short",
    "int16": "short",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "bool",
}
_CONVERTS = ("float", "double", "half", "bfloat16", "int", "long", "short", "bool")
_FLOATS = ("randn", "rand", "zeros", "ones", "empty", "linspace", "eye")
_LONGS = ("randint", "randperm")
_STRIDED = ("t", "permute", "transpose", "expand", "swapaxes", "movedim", "mT", "T")
_DENSE = ("contiguous", "clone")
_KEEPS = (
    "cuda",
    "cpu",
    "to",
    "type",
    "requires_grad_",
    "detach",
    "abs",
    "relu",
    "softmax",
    "clamp",
    "uniform_",
    "normal_",
)


@attrs.frozen
class Input:
    """One argument of forward. `dtype`: the C++ type of its elements, None when unknown. `strided`: not dense row-major."""

    dtype: str | None
    strided: bool


def declared_inputs(file: FileModel) -> tuple[Input, ...]:
    """What get_inputs returns, element by element; empty when there is none or it is not a plain list."""
    makers = [n for n in file.tree.body if isinstance(n, ast.FunctionDef) and n.name == "get_inputs"]
    returns = [n for m in makers[-1:] for n in walk(m) if isinstance(n, ast.Return)]
    if len(returns) != 1 or not isinstance(returns[0].value, (ast.List, ast.Tuple)):
        return ()
    if any(isinstance(n, ast.Attribute) and n.attr == "set_default_dtype" for n in walk(file.tree)):
        return ()
    elements = [_value(file, makers[-1], e) for e in returns[0].value.elts]
    return tuple(Input(_dtype(file, e), _strided(e)) for e in elements)


def _value(file: FileModel, maker: Function, node: ast.expr) -> ast.expr:
    """The expression behind a local name that is assigned once."""
    values = (
        [v for v in file.bound.get(node.id, ()) if file.enclosing(v) is maker]
        if isinstance(node, ast.Name)
        else []
    )
    return values[0] if len(values) == 1 else node


def _dtype(file: FileModel, node: ast.expr) -> str | None:
    if isinstance(node, ast.Compare):
        return "bool"
    if isinstance(node, ast.BinOp):
        return _dtype(file, node.left) or _dtype(file, node.right)
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in _STRIDED):
        return _dtype(file, node.value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    name = node.func.attr
    given = [k.value for k in node.keywords if k.arg == "dtype"]
    if (file.dotted(node.func) or "").startswith("torch."):
        if given:
            return _named(file, given[0])
        return "float" if name in _FLOATS else "long" if name in _LONGS else None
    if name in _CONVERTS:
        return DTYPES[name]
    named = [_named(file, v) for v in (*given, *node.args)] if name in ("to", "type") else []
    found = next((n for n in named if n), None)
    if name in ("to", "type") and found is None and (given or not _only_moves(node)):
        return None
    return found or (
        _dtype(file, node.func.value)
        if name in (*_KEEPS, *_DENSE, *_STRIDED) or name.startswith(("view", "reshape"))
        else None
    )


def _only_moves(node: ast.Call) -> bool:
    """`.to("cuda")`"""
    return all(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in node.args)


def _named(file: FileModel, node: ast.expr) -> str | None:
    dotted = file.dotted(node) or ""
    return DTYPES.get(dotted.removeprefix("torch.")) if dotted.startswith("torch.") else None


def _strided(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return True
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _DENSE:
        return False
    return node.func.attr in _STRIDED or _strided(node.func.value)


def forward_parameter(file: FileModel, node: ast.expr, depth: int = 0) -> int | None:
    """Position, without self, of the parameter of ModelNew.forward that an expression is; None when it is another tensor.

    Followed: `.contiguous()`, which gives the same tensor when it is dense; autograd Functions; helpers of the file.
    """
    node = _without_contiguous(node)
    function = file.enclosing(node)
    if not isinstance(node, ast.Name) or function is None or depth > 4:
        return None
    local = [v for v in file.bound.get(node.id, ()) if file.enclosing(v) is function]
    if local:
        same = [_without_contiguous(v) for v in local]
        if len(same) != 1 or not isinstance(same[0], ast.Name):
            return None
        if same[0].id != node.id:
            return forward_parameter(file, same[0], depth + 1)
    position = _position(function, node.id)
    if position is None:
        return None
    if function is file.forward:
        return position - 1 if position else None  # 0 is self, whatever it is called
    found = {forward_parameter(file, a, depth + 1) for a in _given(file, function, position)}
    return found.pop() if len(found) == 1 else None


def _without_contiguous(node: ast.expr) -> ast.expr:
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "contiguous"
    ):
        node = node.func.value
    return node


def _position(function: Function, name: str) -> int | None:
    every = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return every.index(name) if name in every else None


def _given(file: FileModel, function: Function, position: int) -> Iterator[ast.expr]:
    """What each call in the file gives for a parameter. `Owner.apply(x)` calls Owner.forward(ctx, x)."""
    owner = next((a for a in ancestors(function, file.parent) if isinstance(a, ast.ClassDef)), None)
    gradient = owner is not None and is_autograd_function(owner, file.imported)
    if gradient and function.name != "forward":
        return  # torch calls it
    for node in walk(file.tree):
        if not isinstance(node, ast.Call):
            continue
        target = node.func
        if gradient and owner is not None:
            hit = (
                isinstance(target, ast.Attribute)
                and target.attr == "apply"
                and getattr(target.value, "id", "") == owner.name
            )
        else:
            hit = (getattr(target, "id", None) or getattr(target, "attr", None)) == function.name
        at = position - 1 if owner is not None else position
        if hit and 0 <= at < len(node.args):
            yield node.args[at]
