"""Whether a Python expression is a tensor or a plain number, as far as the file tells."""

from __future__ import annotations

import ast

from cudasmith.rules._torch_names import COMPUTE_METHODS, NO_COMPUTE_FUNCTIONS, NUMBER_METHODS
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function, walk

_TORCH = (
    "torch.nn.functional.",
    "torch.ops.aten.",
    "torch.special.",
    "torch.linalg.",
    "torch.fft.",
    "torch.nn.init.",
)


def torch_function(dotted: str | None) -> str | None:
    """Bare name of a PyTorch function that computes: `torch.ops.aten.relu.default` -> relu."""
    if not dotted or not dotted.startswith("torch."):
        return None
    prefix = next((p for p in _TORCH if dotted.startswith(p)), "torch.")
    name, *rest = dotted.removeprefix(prefix).split(".")
    if rest and prefix != "torch.ops.aten." and name != "Tensor":
        return None  # torch.cuda.synchronize, torch.ops.mine.op, torch.autograd...
    name = rest[0] if name == "Tensor" and rest else name
    return None if name in NO_COMPUTE_FUNCTIONS or name[:1].isupper() else name


def kind(file: FileModel, node: ast.expr, depth: int = 0) -> str:
    """ "tensor", "number" (also strings, sizes, modules) or "unknown"."""
    if depth > 20:
        return "unknown"
    if isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.Compare, ast.BoolOp, ast.JoinedStr)):
        return "number"
    if isinstance(node, ast.Name):
        return _name_kind(file, node, depth)
    if isinstance(node, ast.Attribute):
        return _attribute_kind(file, node, depth)
    if isinstance(node, ast.Call):
        return _call_kind(file, node, depth)
    if isinstance(node, ast.Subscript):
        return kind(file, node.value, depth + 1)
    if isinstance(node, ast.BinOp):
        sides = {kind(file, node.left, depth + 1), kind(file, node.right, depth + 1)}
        return "tensor" if "tensor" in sides else "unknown" if "unknown" in sides else "number"
    if isinstance(node, ast.UnaryOp):
        return kind(file, node.operand, depth + 1)
    return "unknown"


def _name_kind(file: FileModel, node: ast.Name, depth: int) -> str:
    """Each name of each function is looked into once, or values that name each other multiply without end."""
    function = file.enclosing(node)
    key = (function, node.id)
    if key in file.kinds:
        return file.kinds[key]
    if key in file.asked:
        return file.asked[key]
    outermost = not file.asked
    file.asked[key] = "unknown"  # what a circle of names leaves it
    found = file.asked[key] = _value_kind(file, function, node.id, depth)
    if found != "unknown" or outermost:  # what is unknown within a circle may be known when asked by itself
        file.kinds[key] = found
    if outermost:
        file.asked.clear()
    return found


def _value_kind(file: FileModel, function: Function | None, name: str, depth: int) -> str:
    given = _annotation(function, name) if function else None
    if given is not None and "Tensor" in given:
        return "tensor"
    if given in ("int", "float", "bool", "str"):
        return "number"
    if given is not None and function is not None and function is file.forward:
        # What a model is called with is a tensor, unless annotated or asserted otherwise.
        return "number" if _asserted_constant(function, name) else "tensor"
    if function is not None and _counts(function, name):
        return "number"
    if function is not None and not file.assigned(function, name):
        return _value_kind(
            file, file.enclosing(function), name, depth
        )  # of the function around, or the module
    local = file.assigned(function, name)
    kinds = {kind(file, v, depth + 1) for v in local if not _mentions(v, name)}
    return kinds.pop() if len(kinds) == 1 else "tensor" if "tensor" in kinds else "unknown"


def called(file: FileModel, node: ast.expr, depth: int = 0) -> str | None:
    """The full name of what is called, through `getattr(torch, "relu")`, `f = torch.relu` and `self.f = F.relu`."""
    direct = file.dotted(node)
    if direct is not None or depth > 20:
        return direct
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr" and len(node.args) > 1:
        owner, name = called(file, node.args[0], depth + 1), file.constant_text(node.args[1])
        return f"{owner}.{name}" if owner and name else None
    if isinstance(node, ast.Name):
        function = file.enclosing(node)
        if function is not None and _annotation(function, node.id) is not None:
            return None
        values = file.assigned(function, node.id) or file.assigned(None, node.id)
    elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self":
        values = file.bound.get(node.attr, ())
    else:
        return None
    found = {called(file, v, depth + 1) for v in values}
    return found.pop() if len(found) == 1 else None


def _asserted_constant(function: Function, name: str) -> bool:
    """`assert name == 2` in the function."""
    tests = [n.test for n in function.body if isinstance(n, ast.Assert)]
    return any(
        isinstance(t, ast.Compare)
        and isinstance(t.left, ast.Name)
        and t.left.id == name
        and isinstance(t.comparators[0], ast.Constant)
        for t in tests
    )


def _counts(function: Function, name: str) -> bool:
    """`for name in range(...)` in the function."""
    loops = [n for n in walk(function) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    return any(
        isinstance(n.iter, ast.Call) and getattr(n.iter.func, "id", "") == "range" and n.target.id == name
        for n in loops
        if isinstance(n.target, ast.Name)
    )


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(value))


def _annotation(function: Function, name: str) -> str | None:
    """The annotation of a parameter as text, empty without one; None for no parameter."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    found = next((a for a in every if a.arg == name and name not in ("self", "ctx", "cls")), None)
    return None if found is None else ast.unparse(found.annotation) if found.annotation else ""


def _attribute_kind(file: FileModel, node: ast.Attribute, depth: int) -> str:
    if node.attr in ("shape", "ndim", "dtype", "device", "is_cuda", "itemsize", "training"):
        return "number"
    if node.attr in ("weight", "bias", "T", "mT", "data", "grad"):
        return "tensor"
    if (file.dotted(node) or "torch.").split(".")[0] in ("math", "sys"):
        return "number"
    if not isinstance(node.value, ast.Name) or node.value.id != "self":
        return "unknown"
    values = file.bound.get(node.attr, ())
    if any("Parameter" in ast.unparse(v) or kind(file, v, depth + 1) == "tensor" for v in values):
        return "tensor"
    return "number" if values else "unknown"


def _call_kind(file: FileModel, node: ast.Call, depth: int) -> str:
    if file.handles.exported(node) is not None:
        return "tensor"
    dotted = file.dotted(node.func) or ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in NUMBER_METHODS or (dotted and not dotted.startswith("torch.")):
        return "number"
    if torch_function(dotted) or dotted.startswith(
        ("torch.empty", "torch.zeros", "torch.ones", "torch.ops.aten.")
    ):
        return "tensor"
    if name in COMPUTE_METHODS or name == "apply":
        return "tensor"
    if isinstance(node.func, ast.Attribute) and not dotted:
        return (
            "unknown"
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
            else kind(file, node.func.value, depth + 1)
        )
    return "unknown"
