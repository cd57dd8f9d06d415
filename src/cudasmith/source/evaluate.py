"""Evaluates the constant expressions a build call is written with. Never executes anything."""

from __future__ import annotations

import ast
import os.path
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from cudasmith.source.lists import Lists
from cudasmith.source.literals import UNKNOWN, MappedText, fstring_parts, plain
from cudasmith.source.names import ancestors, dotted, parameters, stored, walk
from cudasmith.source.reading import (
    PathValue,
    Read,
    absolute,
    given_otherwise,
    is_conditional,
    opened_names,
    pieces,
    reads_as_they_lie,
)
from cudasmith.source.text import SourceText

Value: TypeAlias = "MappedText | PathValue | tuple[Value, ...] | dict[str, Value] | bool | int | float | None"
MAX_DEPTH = 40  # names bound to each other in a circle
_OF_PATHS = frozenset({"read", "read_text", "resolve", "absolute", "joinpath"})
_READ_MODES = ("r", "rt")
_ENCODINGS = ("utf-8", "utf8", "UTF-8", "ascii")
_PATH_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "os.path.dirname": os.path.dirname,
    "os.path.abspath": absolute,
    "os.path.realpath": os.path.realpath,
    "os.path.normpath": os.path.normpath,
    "os.fspath": str,
}


_LOOPS = (ast.For, ast.AsyncFor)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class NotConstant(Exception):
    """The expression's value is not known before it runs."""


class Evaluator:
    """Values of expressions under `bindings`: name -> every expression the file assigns to it.

    `imported` and `parent` as of names.py. `path`: the file's own, empty where it has none. `takers`: calls that change
    no list they are given. Without a `tree`, what a list holds when it is read is not known. The texts of files that it
    reads are those attached to `source`; which others the values would need is put into `wanted`.
    """

    def __init__(
        self,
        source: SourceText,
        bindings: Mapping[str, Sequence[ast.expr]],
        tree: ast.Module | None = None,
        imported: Mapping[str, str] | None = None,
        parent: Mapping[ast.AST, ast.AST] | None = None,
        path: str = "",
        takers: Collection[ast.Call] = (),
    ) -> None:
        self._source = source
        self._bindings = bindings
        self._imported = imported or {}
        self._parent = parent or {}
        self._path = path
        self._lists = Lists(tree, self._parent, takers) if tree is not None else None
        tree = tree or ast.Module([], [])
        self._nodes = walk(tree)
        self._pieces = pieces(tree, self._parent)
        self._opened = opened_names(tree)
        self._reads = reads_as_they_lie(tree)
        self._own_open = "open" in self._bindings or given_otherwise("open", self._nodes)
        self.wanted: list[Read] = []

    def value(self, node: ast.expr, depth: int = 0) -> Value:
        """Raises: NotConstant."""
        if depth > MAX_DEPTH:
            raise NotConstant
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.JoinedStr):
            return self._fstring(node, depth)
        if isinstance(node, (ast.List, ast.Tuple)):
            return tuple(self.value(e, depth + 1) for e in node.elts)
        if isinstance(node, ast.Dict):
            keys = [self.text(k, depth + 1).text for k in node.keys if k is not None]
            return dict(zip(keys, (self.value(v, depth + 1) for v in node.values), strict=True))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _add(self.value(node.left, depth + 1), self.value(node.right, depth + 1))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return PathValue(
                str(PurePath(self._place(node.left, depth, PathValue)) / self._place(node.right, depth))
            )
        if isinstance(node, ast.Attribute) and node.attr == "parent" and "parent" not in self._bindings:
            return PathValue(str(PurePath(self._place(node.value, depth, PathValue)).parent))
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise NotConstant

    def text(self, node: ast.expr, depth: int = 0) -> MappedText:
        value = self.value(node, depth)
        if isinstance(value, MappedText):
            return value
        raise NotConstant

    def keywords(self, node: ast.expr) -> dict[str, ast.expr] | None:
        """What `**node` gives a call: of a dict with constant keys, or `dict(a=1)`, or a name of one; else None."""
        if isinstance(node, ast.Name) and len(bound := self._bindings.get(node.id, ())) == 1:
            node = bound[0]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            named = {k.arg: k.value for k in node.keywords if k.arg is not None}
            return named if not node.args and len(named) == len(node.keywords) else None
        if not isinstance(node, ast.Dict):
            return None
        keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
        return (
            {k: v for k, v in zip(keys, node.values, strict=True) if isinstance(k, str)}
            if all(isinstance(k, str) for k in keys)
            else None
        )

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, str):
            return plain(self._source.text, *self._source.bounds(node), node.value)
        if node.value is None or isinstance(node.value, (bool, int, float)):
            return node.value
        raise NotConstant

    def _fstring(self, node: ast.JoinedStr, depth: int) -> MappedText:
        fields = iter([v for v in node.values if isinstance(v, ast.FormattedValue)])
        parts: list[MappedText] = []
        for part in fstring_parts(self._source.text, *self._source.bounds(node)):
            if part is not None:
                parts.append(part)
                continue
            field = next(fields, None)
            if field is None or field.format_spec is not None or field.conversion != -1:
                raise NotConstant
            value = self.value(field.value, depth + 1)
            text = value.text if isinstance(value, MappedText) else str(value)
            if isinstance(value, (tuple, dict, PathValue)):
                raise NotConstant
            parts.append(value if isinstance(value, MappedText) else MappedText.unmapped(text))
        return MappedText.join(parts)

    def _name(self, node: ast.Name | ast.Attribute, depth: int) -> Value:
        name = node.id if isinstance(node, ast.Name) else node.attr
        bound = self._bindings.get(name, ())
        if name == "__file__" and not bound and self._path:
            return MappedText.unmapped(absolute(self._path))
        if isinstance(node, ast.Name) and name in self._pieces:
            first, *more = [self.value(piece, depth + 1) for piece in self._pieces[name]]
            for value in more:
                first = _add(first, value)
            if isinstance(first, tuple) and not (self._lists and self._lists.kept_but_grown(name)):
                raise NotConstant
            return first
        if len(bound) != 1 or (isinstance(node, ast.Name) and self._of_inner_scope(node)):
            raise NotConstant
        found = self.value(bound[0], depth + 1)
        changeable = isinstance(found, (tuple, dict)) and not isinstance(bound[0], ast.Tuple)
        if changeable and not (self._lists and self._lists.kept(name)):
            raise NotConstant  # it may be another by the time it is read
        return found

    def _of_inner_scope(self, name: ast.Name) -> bool:
        """Whether it is a parameter or a loop's variable of a function around it, and not what else the file calls so.

        A parameter that every call in the file gives the variable of its own name is that variable.
        """
        for holder in ancestors(name, self._parent):
            if isinstance(holder, _LOOPS) and name.id in stored(holder.target):
                return True
            if isinstance(holder, _FUNCTIONS) and name.id in parameters(holder):
                return not self._passed_on(holder, name.id)
        return False

    def _passed_on(self, function: ast.AST, name: str) -> bool:
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        uses = [n for n in self._nodes if isinstance(n, ast.Name) and n.id == function.name]
        calls = [self._parent.get(use) for use in uses]
        return bool(calls) and all(
            isinstance(call, ast.Call) and call.func is use and _gives(call, function, name)
            for call, use in zip(calls, uses, strict=True)
        )

    def _place(
        self, node: ast.expr, depth: int, kind: type | tuple[type, ...] = (PathValue, MappedText)
    ) -> str:
        """A path as text. Raises: NotConstant."""
        value = self.value(node, depth + 1)
        if isinstance(value, kind) and isinstance(value, (PathValue, MappedText)):
            return value.text
        raise NotConstant

    def _of_paths(self, node: ast.Call, depth: int) -> Value:
        """What functions of os.path and pathlib give, and what a file holds. Raises: NotConstant."""
        function, name = node.func, dotted(node.func, self._imported)
        if name == "os.path.join" and node.args and not node.keywords:
            return MappedText.unmapped(os.path.join(*(self._place(a, depth) for a in node.args)))  # noqa: PTH118
        if name in _PATH_FUNCTIONS and len(node.args) == 1 and not node.keywords:
            return MappedText.unmapped(_PATH_FUNCTIONS[name](self._place(node.args[0], depth)))
        if name == "pathlib.Path" and node.args and not node.keywords:
            return PathValue(str(PurePath(*(self._place(a, depth) for a in node.args))))
        if isinstance(function, ast.Name) and function.id == "str" and len(node.args) == 1:
            return MappedText.unmapped(self._place(node.args[0], depth, PathValue))
        if node in self._opened:
            return self._content(self._opened[node], depth)
        if not isinstance(function, ast.Attribute):
            raise NotConstant
        if function.attr == "read" and not node.args and isinstance(function.value, ast.Call):
            return self._content(function.value, depth)
        if function.attr == "read_text" and not node.args:
            return self._text_of(self._place(function.value, depth, PathValue), node)
        if function.attr in ("resolve", "absolute") and not node.args:
            place = self._place(function.value, depth, PathValue)
            return PathValue(os.path.realpath(place) if function.attr == "resolve" else absolute(place))
        if function.attr == "joinpath" and not node.keywords:
            owner = PurePath(self._place(function.value, depth, PathValue))
            return PathValue(str(owner.joinpath(*(self._place(a, depth) for a in node.args))))
        raise NotConstant

    def _content(self, opened: ast.expr, depth: int) -> MappedText:
        """What is read from `open(place)` or `place.open()`."""
        if not isinstance(opened, ast.Call):
            raise NotConstant
        function, modes = opened.func, opened.args
        if isinstance(function, ast.Name) and function.id == "open" and modes and not self._own_open:
            place, modes = self._place(modes[0], depth), modes[1:]
        elif isinstance(function, ast.Attribute) and function.attr == "open":
            place = self._place(function.value, depth, PathValue)
        else:
            raise NotConstant
        if [m for m in modes if not (isinstance(m, ast.Constant) and m.value in _READ_MODES)] or len(
            modes
        ) > 1:
            raise NotConstant
        return self._text_of(place, opened)

    def _text_of(self, place: str, node: ast.Call) -> MappedText:
        allowed = {"encoding": _ENCODINGS, "mode": _READ_MODES}
        for k in node.keywords:
            if not (isinstance(k.value, ast.Constant) and k.value.value in allowed.get(k.arg or "", ())):
                raise NotConstant
        if not self._reads:
            raise NotConstant
        found = self._source.text_at(absolute(place))
        if found is None:
            certain = not is_conditional(node, self._parent)
            self.wanted.append(Read(absolute(place), place, node.lineno, certain))
            raise NotConstant
        start, text = found
        return MappedText(text, tuple(range(start, start + len(text))))

    def _call(self, node: ast.Call, depth: int) -> Value:
        try:
            return self._of_paths(node, depth)
        except NotConstant:
            return self._of_texts(node, depth)

    def _of_texts(self, node: ast.Call, depth: int) -> Value:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in _OF_PATHS:
            raise NotConstant
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "dedent" and len(node.args) == 1:
            return dedent(self.text(node.args[0], depth + 1))
        if name == "list" and len(node.args) == 1:
            return self.value(node.args[0], depth + 1)
        if not isinstance(function, ast.Attribute):
            raise NotConstant
        owner = self.text(function.value, depth + 1)
        if name in ("strip", "lstrip", "rstrip") and not node.args:
            return _strip(owner, name)
        if name == "replace" and len(node.args) == 2:
            old, new = (self.text(a, depth + 1) for a in node.args)
            return _replace(owner, old.text, new)
        if name == "join" and len(node.args) == 1:
            return _join(owner, self.value(node.args[0], depth + 1))
        raise NotConstant


def _gives(call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a call gives a parameter the variable of the same name."""
    order = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    given = dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    plain = None not in given and not any(isinstance(a, ast.Starred) for a in call.args)
    value = given.get(name)
    return plain and isinstance(value, ast.Name) and value.id == name


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, MappedText) and isinstance(right, MappedText):
        return MappedText.join([left, right])
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left + right
    raise NotConstant


def _strip(owner: MappedText, name: str) -> MappedText:
    start, end = 0, len(owner.text)
    if name != "rstrip":
        start = end - len(owner.text.lstrip())
    if name != "lstrip":
        end = max(start, len(owner.text.rstrip()))
    return owner.cut(start, end)


def _replace(owner: MappedText, old: str, new: MappedText) -> MappedText:
    if not old:
        raise NotConstant
    parts: list[MappedText] = []
    at = 0
    while (found := owner.text.find(old, at)) >= 0:
        parts += [owner.cut(at, found), new]
        at = found + len(old)
    return MappedText.join([*parts, owner.cut(at, len(owner.text))])


def _join(owner: MappedText, items: Value) -> MappedText:
    if not isinstance(items, tuple):
        raise NotConstant
    parts: list[MappedText] = []
    for item in items:
        if not isinstance(item, MappedText):
            raise NotConstant
        parts += [owner, item] if parts else [item]
    return MappedText.join(parts)


def dedent(owner: MappedText) -> MappedText:
    """`textwrap.dedent`, with the places of the characters that are left."""
    wanted = textwrap.dedent(owner.text)
    parts: list[MappedText] = []
    at = 0
    for old, new in zip(owner.text.split("\n"), wanted.split("\n"), strict=True):
        parts += [owner.cut(at + len(old) - len(new), at + len(old))]
        at += len(old)
        parts.append(owner.cut(at, at + 1))
        at += 1
    mapped = MappedText.join(parts)
    return mapped if mapped.text == wanted else MappedText(wanted, (UNKNOWN,) * len(wanted))
