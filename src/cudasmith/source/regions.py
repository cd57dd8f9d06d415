"""The `load_inline` calls of a file and the CUDA and C++ text they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from cudasmith.model.finding import Span
from cudasmith.source.evaluate import Evaluator, NotConstant, Value
from cudasmith.source.literals import MappedText
from cudasmith.source.names import ancestors, dotted, walk
from cudasmith.source.reading import Read
from cudasmith.source.text import ELSEWHERE, SourceText

LOAD_INLINE = "torch.utils.cpp_extension.load_inline"
POSITIONAL = ("name", "cpp_sources", "cuda_sources")


def _exact(mapped: MappedText, start: int, end: int, source: SourceText) -> Span | None:
    first, last = mapped.place(start), mapped.place(max(start, end - 1))
    if first is None or last is None or last < first or first // ELSEWHERE != last // ELSEWHERE:
        return None
    return source.span(first, last + 1 if end > start else last)


@attrs.frozen(eq=False)
class Region:
    """One translation unit: the sources of one kind, joined by newlines as `load_inline` joins them."""

    kind: Literal["cpp", "cuda"]
    mapped: MappedText
    source: SourceText

    @property
    def text(self) -> str:
        return self.mapped.text

    def span(self, start: int, end: int) -> Span | None:
        """The place in the Python file of text[start:end]; None when there is no exact one."""
        return _exact(self.mapped, start, end, self.source)

    def exact(self, start: int, end: int) -> tuple[int, int] | None:
        """Offsets in the file of text[start:end], where the file has just these characters in one piece."""
        first = self.mapped.place(start)
        if first is None or first >= ELSEWHERE:
            return None
        written = self.source.text[first : first + end - start]
        return (first, first + end - start) if written == self.text[start:end] else None

    def line_column(self, index: int) -> tuple[int, int] | None:
        """Line and column in the Python file of one character of the text; None when not exact."""
        place = self.mapped.place(index)
        return None if place is None else self.source.line_column(place)


@attrs.frozen(eq=False)
class BuildCall:
    """One `load_inline(...)`. A keyword in `unresolved` is given, but not by a constant expression."""

    call: ast.Call
    span: Span
    keywords: Mapping[str, ast.expr]
    name: str | None
    cpp: Region | None
    cuda: Region | None
    functions: tuple[str, ...] | None
    flags: Mapping[str, tuple[str, ...]]
    implicit_headers: bool
    unresolved: frozenset[str]
    values: Mapping[str, Value]  # of the keywords that are constant
    holders: tuple[ast.AST, ...]  # what encloses the call, from the inside out
    wanted: tuple[Read, ...]  # files that it needs and that the candidate does not have yet

    def keyword_span(self, keyword: str, source: SourceText) -> Span:
        """Where a keyword's value stands; the call when it is not given."""
        node = self.keywords.get(keyword)
        return source.node_span(node) if node is not None else self.span

    def words(self, keyword: str, source: SourceText) -> tuple[tuple[str, Span], ...]:
        """Each word of a list of flags with its place: the keyword's value where there is no exact one."""
        value = self.values.get(keyword)
        texts = value if isinstance(value, tuple) else (value,)
        return tuple(
            (word[0], _exact(text, word.start(), word.end(), source) or self.keyword_span(keyword, source))
            for text in texts
            if isinstance(text, MappedText)
            for word in re.finditer(r"\S+", text.text)
        )

    def regions(self) -> tuple[Region, ...]:
        return tuple(r for r in (self.cpp, self.cuda) if r is not None)


def build_calls(
    tree: ast.Module,
    source: SourceText,
    imported: Mapping[str, str],
    bound: Mapping[str, Sequence[ast.expr]],
    parent: Mapping[ast.AST, ast.AST],
    path: str = "",
) -> tuple[BuildCall, ...]:
    """Every `load_inline` call, in the order of the file. `path`: the file's own, empty where it has none."""
    calls = [
        node
        for node in walk(tree)
        if isinstance(node, ast.Call) and _is_load_inline(node.func, imported, bound)
    ]
    calls.sort(key=lambda c: (c.lineno, c.col_offset))
    if not calls:
        return ()
    evaluator = Evaluator(source, bound, tree, imported, parent, path, calls)
    changed = _not_only_spread(tree, parent)
    return tuple(_build_call(c, source, evaluator, tuple(ancestors(c, parent)), changed) for c in calls)


def _not_only_spread(tree: ast.Module, parent: Mapping[ast.AST, ast.AST]) -> frozenset[str]:
    """Names that are read elsewhere than in `**name`, which may change a dict, and parameters."""
    found = {n.arg for n in walk(tree) if isinstance(n, ast.arg)}
    for node in walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            holder = parent.get(node)
            if not (isinstance(holder, ast.keyword) and holder.arg is None):
                found.add(node.id)
    return frozenset(found)


def _is_load_inline(
    func: ast.expr, imported: Mapping[str, str], bound: Mapping[str, Sequence[ast.expr]]
) -> bool:
    """Whether it is load_inline, or a name that was given it: `build = cpp_extension.load_inline`."""
    if (dotted(func, imported) or "").endswith(LOAD_INLINE):
        return True
    values = bound.get(func.id, ()) if isinstance(func, ast.Name) else ()
    return len(values) == 1 and (dotted(values[0], imported) or "").endswith(LOAD_INLINE)


def _build_call(
    call: ast.Call,
    source: SourceText,
    evaluator: Evaluator,
    holders: tuple[ast.AST, ...],
    changed: frozenset[str],
) -> BuildCall:
    keywords = dict(zip(POSITIONAL, call.args, strict=False))
    keywords |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    unresolved = set()
    for spread in [k.value for k in call.keywords if k.arg is None]:
        known = not (isinstance(spread, ast.Name) and spread.id in changed)
        given = evaluator.keywords(spread) if known else None
        unresolved |= {"**"} if given is None else set()
        keywords |= given or {}
    values: dict[str, Value] = {}
    evaluator.wanted.clear()
    for keyword, node in keywords.items():
        try:
            values[keyword] = evaluator.value(node)
        except NotConstant:
            unresolved.add(keyword)
    functions = values.get("functions")
    name = values.get("name")
    return BuildCall(
        call=call,
        span=source.node_span(call.func),
        keywords=keywords,
        name=name.text if isinstance(name, MappedText) else None,
        cpp=_region("cpp", values.get("cpp_sources"), source),
        cuda=_region("cuda", values.get("cuda_sources"), source),
        functions=None if functions is None else _words(functions),
        flags={k: _words(values[k]) for k in ("extra_cflags", "extra_cuda_cflags") if k in values},
        implicit_headers=values.get("no_implicit_headers") is not True,
        unresolved=frozenset(unresolved),
        values=values,
        holders=holders,
        wanted=tuple(evaluator.wanted),
    )


def _region(kind: Literal["cpp", "cuda"], value: Value, source: SourceText) -> Region | None:
    items = (value,) if isinstance(value, MappedText) else value
    if not isinstance(items, tuple):
        return None
    parts: list[MappedText] = []
    for item in items:
        if not isinstance(item, MappedText):
            return None
        parts += [MappedText.unmapped("\n"), item] if parts else [item]
    joined = MappedText.join(parts)
    return Region(kind, joined, source) if joined.text.strip() else None


def _words(value: Value) -> tuple[str, ...]:
    if isinstance(value, MappedText):
        return (value.text,)
    if isinstance(value, (tuple, dict)):
        return tuple(w.text if isinstance(w, MappedText) else str(w) for w in value)
    return ()
