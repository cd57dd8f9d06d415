"""Markdown and natural language in a place where code should be."""

from __future__ import annotations

import re
from collections.abc import Iterator

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][A-Za-z']*[,.:;!?]?")
_COMMENT = ("#", "//", "/*", "*")
_SENTENCE = re.compile(r"[A-Z][A-Za-z`']*(?:[ ,-]+[A-Za-z`']+){2,}[.:!?]")
MIN_WORDS = 4  # "return x if y" has four words too, so keywords are taken out first
_KEYWORDS_TEXT = """
and as assert class const def del double elif else except extern float for from global goto if import in int is
lambda long nonlocal not or pass raise return short signed static struct template try typedef typename unsigned
using void volatile while with yield
"""
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())


def fences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end offset of each line that is a Markdown fence and nothing else."""
    for found in FENCE.finditer(text):
        yield found.start(), found.end()


def looks_like_prose(line: str) -> bool:
    """A capital, three words and a full stop or colon; or four words in a row that no code would hold."""
    stripped = line.strip()
    if not stripped or stripped.startswith(_COMMENT):
        return False
    if _SENTENCE.fullmatch(stripped):
        return True
    run = 0
    for word in stripped.split():
        plain = bool(_WORD.fullmatch(word)) and word.rstrip(",.:;!?") not in _KEYWORDS
        run = run + 1 if plain else 0
        if run >= MIN_WORDS:
            return True
    return False
