"""What forward hands to the extension, at the sizes of a problem: followed through the Python text, never run."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import TypeAlias, Union

import attrs

from cudasmith.model import Capture
from cudasmith.source.filemodel import FileModel
from cudasmith.source.handles import ExtensionCall
from cudasmith.source.names import Function, methods, walk

MAX_DEPTH = 8  # functions that call each other
MAX_STATEMENTS = 20_000


@attrs.frozen
class Sized:
    """A tensor of which the sizes are known."""

    shape: tuple[int, ...]
    dtype: str = ""

    @property
    def numel(self) -> int:
        return math.prod(self.shape)


# None: not known.
Known: TypeAlias = Union[Sized, bool, int, float, str, tuple["Known", ...], None]  # noqa: UP007 - recursive
Answer = Callable[[str, tuple[Known, ...]], Known]
_SAME = (
    "contiguous",
    "detach",
    "clone",
    "cuda",
    "float",
    "half",
    "double",
    "to",
    "type",
    "requires_grad_",
    "relu",
)


def calls_at(file: FileModel, capture: Capture, answer: Answer) -> dict[ast.Call, list[tuple[Known, ...]]]:
    """Each call of an exported function that forward reaches -> the arguments of every time it is reached.

    `answer` tells what an exported function returns for its arguments.
    """
    flow = _Flow(file, capture, answer)
    if file.forward is not None and file.model is not None:
        flow.model(file.model, file.forward)
    return flow.seen


class _Flow:
    def __init__(self, file: FileModel, capture: Capture, answer: Answer) -> None:
        self._file, self._capture, self._answer = file, capture, answer
        self._calls = {c.call: c for c in file.handles.calls}
        self._classes = {c.name: c for c in file.classes}
        self._functions = {n.name: n for n in file.tree.body if isinstance(n, ast.FunctionDef)}
        self._state: dict[str, Known] = {s.path: Sized(s.shape, s.dtype) for s in capture.state}
        self._names: dict[str, Known] = {}
        self._owner: ast.ClassDef | None = None
        self._depth = 0
        self._left = MAX_STATEMENTS
        self.seen: dict[ast.Call, list[tuple[Known, ...]]] = {}

    def model(self, owner: ast.ClassDef, forward: Function) -> None:
        """__init__ with the problem's arguments, then forward with its inputs."""
        init = methods(owner).get("__init__")
        literals, all_known = self._capture.init_literals
        if init is not None:
            values = [_literal(text) for text in literals] if all_known else []
            self._function(init, [None, *values], owner)
        inputs: list[Known] = [
            Sized(i.value.shape, i.value.dtype) if i.value is not None else i.literal
            for i in self._capture.inputs
        ]
        self._function(forward, [None, *inputs], owner)

    def _function(self, function: Function, arguments: Sequence[Known], owner: ast.ClassDef | None) -> Known:
        if self._depth >= MAX_DEPTH:
            return None
        before = (self._names, self._owner)
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        self._names, self._owner = dict.fromkeys(names), owner
        for arg, default in zip(names[::-1], function.args.defaults[::-1], strict=False):
            self._names[arg] = self._value(default)
        self._names |= dict(zip(names, arguments, strict=False))
        self._depth += 1
        returned: list[Known] = []
        self._block(function.body, returned)
        self._depth -= 1
        self._names, self._owner = before
        return returned[0] if returned and all(r == returned[0] for r in returned) else None

    # ---- statements

    def _block(self, body: Sequence[ast.stmt], returned: list[Known]) -> bool:
        """Whether control goes on behind the statements."""
        return all(self._statement(s, returned) for s in body)

    def _statement(self, node: ast.stmt, returned: list[Known]) -> bool:
        self._left -= 1
        if self._left < 0:
            return False
        if isinstance(node, ast.Return):
            returned.append(self._value(node.value) if node.value is not None else None)
            return False
        if isinstance(node, ast.Raise):
            return False
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            value = self._value(node.value)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._assign(target, value)
        elif isinstance(node, ast.AugAssign):
            self._assign(node.target, self._value(ast.BinOp(_loaded(node.target), node.op, node.value)))
        elif isinstance(node, ast.Expr):
            self._value(node.value)
        elif isinstance(node, ast.If):
            return self._branch(node, returned)
        elif isinstance(node, (ast.For, ast.While)):
            for name in _stored(node):
                self._names[name] = None
            self._block(node.body, [])
            for name in _stored(node):
                self._names[name] = None
        elif isinstance(node, (ast.With, ast.Try)):
            return self._block(node.body, returned)
        return True

    def _branch(self, node: ast.If, returned: list[Known]) -> bool:
        test = self._value(node.test)
        if test is not None and not isinstance(test, Sized):
            return self._block(node.body if test else node.orelse, returned)
        before, ends = dict(self._names), []
        for body in (node.body, node.orelse):
            self._names = dict(before)
            if self._block(body, returned):
                ends.append(self._names)
        if not ends:
            return False
        self._names = {n: v for n, v in ends[0].items() if all(n in e and e[n] == v for e in ends)}
        return True

    def _assign(self, target: ast.expr, value: Known) -> None:
        if isinstance(target, ast.Name):
            self._names[target.id] = value
        elif isinstance(target, ast.Attribute) and self._own(target):
            if value is not None or target.attr not in self._state:
                self._state[target.attr] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            fits = isinstance(value, tuple) and len(value) == len(target.elts)
            values = value if fits and isinstance(value, tuple) else (None,) * len(target.elts)
            for part, each in zip(target.elts, values, strict=True):
                self._assign(part, each)

    def _own(self, node: ast.Attribute) -> bool:
        """`self.x` in a method of the model itself."""
        return (
            isinstance(node.value, ast.Name) and node.value.id == "self" and self._owner is self._file.model
        )

    # ---- expressions

    def _value(self, node: ast.expr) -> Known:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, (bool, int, float, str)) else None
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple(self._value(e) for e in node.elts)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            return _computed(node.op, self._value(node.left), self._value(node.right))
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand)
            number = isinstance(value, (int, float))
            return (
                -value
                if number and isinstance(node.op, ast.USub) and isinstance(value, (int, float))
                else None
            )
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return _compared(node.ops[0], self._value(node.left), self._value(node.comparators[0]))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child)
        return None

    def _attribute(self, node: ast.Attribute) -> Known:
        path: list[str] = []
        at: ast.expr = node
        while isinstance(at, ast.Attribute):
            path.insert(0, at.attr)
            at = at.value
        if isinstance(at, ast.Name) and at.id == "self" and self._owner is self._file.model:
            known = self._state.get(".".join(path))
            if known is not None:
                return known
        owner = self._value(node.value)
        if isinstance(owner, Sized):
            if node.attr == "shape":
                return owner.shape
            if node.attr == "ndim":
                return len(owner.shape)
            if node.attr in ("T", "mT") and len(owner.shape) == 2:
                return Sized(owner.shape[::-1], owner.dtype)
            return owner if node.attr == "data" else None
        return None

    def _subscript(self, node: ast.Subscript) -> Known:
        owner, at = self._value(node.value), self._value(node.slice)
        if isinstance(owner, tuple) and isinstance(at, int) and -len(owner) <= at < len(owner):
            return owner[at]
        return None

    def _call(self, node: ast.Call) -> Known:
        call = self._calls.get(node)
        if call is not None:
            return self._extension(call)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return None
        arguments = [self._value(a) for a in node.args]
        target = node.func
        if isinstance(target, ast.Attribute):
            if (
                target.attr == "apply"
                and isinstance(target.value, ast.Name)
                and target.value.id in self._classes
            ):
                return self._apply(self._classes[target.value.id], arguments)
            own = methods(self._owner).get(target.attr) if self._owner is not None else None
            if own is not None and isinstance(target.value, ast.Name) and target.value.id == "self":
                return self._function(own, [None, *arguments], self._owner)
            return self._tensor_method(self._value(target.value), target.attr, arguments)
        if isinstance(target, ast.Name) and target.id in self._functions and not node.keywords:
            return self._function(self._functions[target.id], arguments, None)
        if isinstance(target, ast.Name) and target.id in ("int", "float") and len(arguments) == 1:
            return arguments[0]
        return None

    def _apply(self, owner: ast.ClassDef, arguments: list[Known]) -> Known:
        forward = methods(owner).get("forward")
        takes_context = forward is not None and "setup_context" not in methods(owner)
        return (
            self._function(forward, [None, *arguments] if takes_context else arguments, owner)
            if forward
            else None
        )

    def _extension(self, call: ExtensionCall) -> Known:
        if any(isinstance(a, ast.Starred) for a in call.arguments) or call.call.keywords:
            return None
        values = tuple(self._value(a) for a in call.arguments)
        self.seen.setdefault(call.call, []).append(values)
        return self._answer(call.function, values)

    def _tensor_method(self, owner: Known, name: str, arguments: list[Known]) -> Known:
        if not isinstance(owner, Sized):
            return None
        if name in _SAME:
            return owner
        if name in ("size", "dim", "numel", "nelement"):
            if name == "size" and arguments:
                return _item(owner.shape, arguments[0])
            if name == "size":
                return owner.shape
            return len(owner.shape) if name == "dim" else owner.numel
        if name in ("view", "reshape"):
            return _viewed(
                owner,
                arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else tuple(arguments),
            )
        if name in ("transpose", "swapaxes") and len(arguments) == 2:
            return _swapped(owner, *arguments)
        return None


def _item(shape: tuple[int, ...], at: Known) -> Known:
    return shape[at] if isinstance(at, int) and -len(shape) <= at < len(shape) else None


def _viewed(owner: Sized, sizes: Known) -> Known:
    if not isinstance(sizes, tuple) or not all(isinstance(s, int) for s in sizes):
        return None
    shape = [s for s in sizes if isinstance(s, int)]
    rest = math.prod(s for s in shape if s != -1)
    if shape.count(-1) > 1 or rest == 0:
        return None
    return Sized(tuple(owner.numel // rest if s == -1 else s for s in shape), owner.dtype)


def _swapped(owner: Sized, first: Known, second: Known) -> Known:
    shape = list(owner.shape)
    if not isinstance(first, int) or not isinstance(second, int) or max(abs(first), abs(second)) > len(shape):
        return None
    shape[first], shape[second] = shape[second], shape[first]
    return Sized(tuple(shape), owner.dtype)


def _computed(op: ast.operator, left: Known, right: Known) -> Known:
    if isinstance(left, Sized) and isinstance(right, (int, float)):
        return left
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return None
    try:
        if isinstance(op, ast.Add):
            return left + right
        if isinstance(op, ast.Sub):
            return left - right
        if isinstance(op, ast.Mult):
            return left * right
        if isinstance(op, ast.FloorDiv):
            return left // right
        if isinstance(op, ast.Mod):
            return left % right
        return left / right if isinstance(op, ast.Div) else None
    except (ZeroDivisionError, OverflowError):
        return None


def _compared(op: ast.cmpop, left: Known, right: Known) -> Known:
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    if not numbers or not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return None
    if isinstance(op, ast.Eq):
        return left == right
    if isinstance(op, ast.NotEq):
        return left != right
    if isinstance(op, (ast.Lt, ast.LtE)):
        return left < right or (isinstance(op, ast.LtE) and left == right)
    if isinstance(op, (ast.Gt, ast.GtE)):
        return left > right or (isinstance(op, ast.GtE) and left == right)
    return None


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _loaded(target: ast.expr) -> ast.expr:
    return ast.Name(target.id, ast.Load()) if isinstance(target, ast.Name) else ast.Constant(None)


def _literal(text: str) -> Known:
    try:
        return _known(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return None


def _known(value: object) -> Known:
    if isinstance(value, (list, tuple)):
        return tuple(_known(v) for v in value)
    if isinstance(value, (bool, int, float, str)):
        return value
    return None
