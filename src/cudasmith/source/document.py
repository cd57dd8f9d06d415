"""A file's text to edit: line ends and byte order mark are kept as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from cudasmith.model.finding import Fix
from cudasmith.source.text import SourceText

BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")


@attrs.frozen
class Document:
    """`text` has line ends as Python counts them; `ends[i]` is how the file writes the i-th."""

    text: str
    ends: tuple[str, ...]
    mark: str = ""

    @classmethod
    def of(cls, raw: str) -> Document:
        """The document of a file's decoded bytes."""
        mark = BOM if raw.startswith(BOM) else ""
        body = raw[len(mark) :]
        return cls(_LINE_END.sub("\n", body), tuple(_LINE_END.findall(body)), mark)

    def raw(self) -> str:
        """The file's text. `Document.of(raw).raw() == raw`."""
        if set(self.ends) <= {"\n"}:
            return self.mark + self.text
        lines = self.text.split("\n")
        return self.mark + "".join(line + end for line, end in zip(lines, (*self.ends, ""), strict=True))

    def edited(self, fixes: Sequence[Fix]) -> Document:
        """With every fix applied. They must not overlap; new lines end as the file's first does."""
        source, text, ends = SourceText(self.text), self.text, list(self.ends)
        new_end = self.ends[0] if self.ends else "\n"
        placed = sorted(((*bounds(source, fix), fix.text) for fix in fixes), reverse=True)
        for start, end, new in placed:
            first = text.count("\n", 0, start)
            ends[first : first + text.count("\n", start, end)] = [new_end] * new.count("\n")
            text = text[:start] + new + text[end:]
        return Document(text, tuple(ends), self.mark)


def bounds(source: SourceText, fix: Fix) -> tuple[int, int]:
    """Offsets of the characters that a fix replaces; a place behind the text is its end."""
    span = fix.span
    start = _offset(source, span.line, span.column)
    if span.end_line is None or span.end_column is None:
        return start, start
    return start, max(start, _offset(source, span.end_line, span.end_column))


def _offset(source: SourceText, line: int, column: int) -> int:
    if line > len(source.starts):
        return len(source.text)
    return min(source.starts[line - 1] + column - 1, len(source.text))
