"""Positions in a Python file: character offset <-> line and column."""

from __future__ import annotations

import ast
import bisect
import re
from collections.abc import Iterable

import attrs

from cudasmith.model.finding import Span

ELSEWHERE = 1 << 40  # offsets from here on are in attached texts, a range of this length for each


def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(m.end() for m in re.finditer("\n", text)))


@attrs.frozen
class SourceText:
    """The text as the parser sees it: line ends are `\\n`, no byte order mark.

    `attached`: path and text of each file that the file reads. Their characters have offsets from ELSEWHERE on.
    """

    text: str
    attached: tuple[tuple[str, SourceText], ...] = ()
    starts: tuple[int, ...] = attrs.field(
        init=False, default=attrs.Factory(lambda self: _line_starts(self.text), takes_self=True)
    )

    @classmethod
    def of(cls, raw: str, files: Iterable[tuple[str, str | None]] = ()) -> SourceText:
        attached = tuple((path, cls.of(text)) for path, text in files if text is not None)
        return cls(raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), attached)

    def text_at(self, path: str) -> tuple[int, str] | None:
        """The offset of the first character of an attached file, and its text."""
        for number, (own, source) in enumerate(self.attached, 1):
            if own == path:
                return number * ELSEWHERE, source.text
        return None

    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1."""
        if offset >= ELSEWHERE:
            return self.attached[offset // ELSEWHERE - 1][1].line_column(offset % ELSEWHERE)
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, byte_column: int) -> int:
        """Character offset of a position as `ast` gives it: line from 1, UTF-8 byte column from 0."""
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        row = self.text[start:end]
        if row.isascii():
            return start + byte_column
        return start + len(row.encode()[:byte_column].decode(errors="ignore"))

    def span(self, start: int, end: int) -> Span:
        """The half-open region of the characters start..end, which are of one file."""
        line, column = self.line_column(start)
        end_line, end_column = self.line_column(max(end, start))
        file = self.attached[start // ELSEWHERE - 1][0] if start >= ELSEWHERE else ""
        return Span(line, column, end_line, end_column, file)

    def bounds(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Character offsets of a tree node."""
        end_line, end_col = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.offset(node.lineno, node.col_offset), self.offset(end_line, end_col)

    def node_span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a tree node stands. Of a compound statement only its first line, so that a caret fits."""
        start, end = self.bounds(node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.If, ast.Try)):
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
        return self.span(start, end)
