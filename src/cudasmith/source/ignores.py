"""Comments that set findings aside: `# cudasmith: ignore[CS404]`, in CUDA text `// cudasmith: ignore[CS404]`."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator

import attrs

from cudasmith.model.finding import Span
from cudasmith.source.regions import BuildCall
from cudasmith.source.text import SourceText

MARK = "cudasmith:"
_IGNORE = re.compile(r"cudasmith:\s*ignore\b(?:\s*\[(?P<codes>[^\]\n]*)\])?")
_SKIPPED = re.compile(  # strings of C++, in which no comment stands; then the comments
    r'R"(?P<d>[^(\s]{0,16})\(.*?(?:\)(?P=d)"|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    r"|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))",
    re.DOTALL,
)


@attrs.frozen
class Ignore:
    """One comment: the codes it names (upper case) and the line it speaks of."""

    codes: tuple[str, ...]
    line: int
    span: Span


def find_ignores(source: SourceText, builds: Iterable[BuildCall]) -> tuple[Ignore, ...]:
    """Every such comment of the Python code and of the sources given to load_inline, by line.

    A comment with nothing before it on its line speaks of the next line that is no such comment.
    """
    if MARK not in source.text:
        return ()
    places = sorted({*_in_python(source), *_in_cuda(builds)})
    lines = source.lines()
    own = {source.line_column(at)[0] for at, _ in places if _stands_alone(lines, source, at)}
    return tuple(_ignore(source, at, end, own) for at, end in places)


def _ignore(source: SourceText, at: int, end: int, own: set[int]) -> Ignore:
    found = _IGNORE.match(source.text, at)
    codes = re.split(r"[\s,]+", (found["codes"] or "").upper()) if found else []
    line = source.line_column(at)[0]
    while line in own:
        line += 1
    return Ignore(tuple(c for c in codes if c), line, source.span(at, end))


def _stands_alone(lines: list[str], source: SourceText, at: int) -> bool:
    line, column = source.line_column(at)
    return lines[line - 1][: column - 1].strip() in ("#", "//", "/*")


def _in_python(source: SourceText) -> Iterator[tuple[int, int]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
            found = _IGNORE.search(token.string) if token.type == tokenize.COMMENT else None
            if found:
                at = source.starts[token.start[0] - 1] + token.start[1] + found.start()
                yield at, at + len(found[0])
    except (tokenize.TokenError, SyntaxError):
        return  # the comments up to there count


def _in_cuda(builds: Iterable[BuildCall]) -> Iterator[tuple[int, int]]:
    for region in (r for build in builds for r in build.regions() if MARK in r.text):
        for comment in (c for c in _SKIPPED.finditer(region.text) if c["comment"]):
            found = _IGNORE.search(comment[0])
            if found:
                start = comment.start() + found.start()
                bounds = region.exact(start, start + len(found[0]))
                if bounds:
                    yield bounds
