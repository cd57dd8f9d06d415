"""Evaluates the constant expressions a build call is written with. Never executes anything."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from cudasmith.source.literals import UNKNOWN, MappedText, fstring_parts, plain
from cudasmith.source.text import SourceText

Value: TypeAlias = "MappedText | tuple[Value, ...] | dict[str, Value] | bool | int | float | None"
MAX_DEPTH = 40  # names bound to each other in a circle


class NotConstant(Exception):
    """The expression's value is not known before it runs."""


class Evaluator:
    """Values of expressions under `bindings`: name -> every expression the file assigns to it."""

    def __init__(self, source: SourceText, bindings: Mapping[str, Sequence[ast.expr]]) -> None:
        self._source = source
        self._bindings = bindings

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
            if isinstance(value, (tuple, dict)):
                raise NotConstant
            parts.append(value if isinstance(value, MappedText) else MappedText.unmapped(text))
        return MappedText.join(parts)

    def _name(self, node: ast.Name | ast.Attribute, depth: int) -> Value:
        name = node.id if isinstance(node, ast.Name) else node.attr
        bound = self._bindings.get(name, ())
        if len(bound) != 1:
            raise NotConstant
        return self.value(bound[0], depth + 1)

    def _call(self, node: ast.Call, depth: int) -> Value:
        function = node.func
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
