"""CUDA text -> syntax tree, and the places the grammar cannot read."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

import attrs
import tree_sitter
import tree_sitter_cuda

_ATTRIBUTE = re.compile(r"\b(?:__launch_bounds__|__align__|__cluster_dims__|__maxnreg__)\s*\(")
_LAMBDA_MARK = re.compile(
    r"\]\s*(__host__\s+__device__|__device__\s+__host__|__device__|__host__)(?=\s*[({])"
)
SKIP = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|R"(?P<d>[^(\s]{0,16})\(.*?(?:\)(?P=d)"|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)
_CODE_BRACKET = re.compile(rf"{SKIP.pattern}|[()\[\]{{}}]", re.DOTALL)
_BRACKET = re.compile(r"[()]")
_OPEN = {"(": ")", "[": "]", "{": "}"}


@attrs.frozen
class Fault:
    """A place that is not C++. `sure`: brackets do not balance or a token is missing."""

    start: int
    end: int
    message: str
    sure: bool


class Tree:
    """A parsed text. Offsets are characters of that text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.level = (
            0  # of the node that is read now: readers call themselves, and texts may nest without end
        )
        cleaned = blank_attributes(text)
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
        self.root = parser.parse(cleaned.encode()).root_node
        self._marked: Marked | None = None
        self._offsets = None if text.isascii() else _byte_offsets(text)

    def offset(self, byte: int) -> int:
        return byte if self._offsets is None else self._offsets[byte]

    def bounds(self, node: tree_sitter.Node) -> tuple[int, int]:
        if self._offsets is None:
            return node.start_byte, node.end_byte
        return self._offsets[node.start_byte], self._offsets[node.end_byte]

    def words(self, node: tree_sitter.Node) -> list[tuple[str, int]]:
        """Every identifier in a node with its place, in the order of the text."""
        marked = self._marks()
        first = bisect.bisect_left(marked.word_starts, node.start_byte)
        last = bisect.bisect_left(marked.word_starts, node.end_byte)
        return marked.words[first:last]

    def nodes(self, node: tree_sitter.Node) -> list[tree_sitter.Node]:
        """The nodes of the kinds PARTS in a node, in the order of the text, outer ones first."""
        marked = self._marks()
        first = bisect.bisect_left(marked.part_starts, node.start_byte)
        last = bisect.bisect_left(marked.part_starts, node.end_byte)
        return marked.parts[first:last]

    def _marks(self) -> Marked:
        if self._marked is None:
            self._marked = _marked(self)
        return self._marked

    def of(self, node: tree_sitter.Node | None, most: int | None = None) -> str:
        """The text of a node on one line, cut to its first `most` characters; empty for no node."""
        if node is None:
            return ""
        start, end = self.bounds(node)
        end = end if most is None else min(end, start + most)
        return " ".join(self.text[start:end].split())


# What bodies are asked for.
PARTS = frozenset(
    {"call_expression", "declaration", "assignment_expression", "update_expression", "binary_expression"}
)


@attrs.frozen
class Marked:
    """The identifiers and the PARTS of a text, each with its first byte: one walk serves every function."""

    words: list[tuple[str, int]]
    word_starts: list[int]
    parts: list[tree_sitter.Node]
    part_starts: list[int]


def _marked(tree: Tree) -> Marked:
    found = Marked([], [], [], [])
    for node in walk(tree.root):
        kind = node.type
        if kind in PARTS:
            found.parts.append(node)
            found.part_starts.append(node.start_byte)
        elif kind.endswith("identifier"):
            found.words.append((tree.of(node), tree.offset(node.start_byte)))
            found.word_starts.append(node.start_byte)
    return found


def _byte_offsets(text: str) -> list[int]:
    offsets: list[int] = []
    for i, char in enumerate(text):
        offsets += [i] * len(char.encode())
    return [*offsets, len(text)]


def blank_attributes(text: str) -> str:
    """The text with attributes that the grammar does not know overwritten by as many spaces."""
    parts, at = [], 0
    for found in _ATTRIBUTE.finditer(text):
        if found.start() < at:
            continue  # inside the brackets of the one before
        end = _closing(text, found.end())
        parts += [text[at : found.start()], _spaces(text[found.start() : end])]
        at = end
    text = "".join([*parts, text[at:]])
    return _LAMBDA_MARK.sub(lambda m: m[0].replace(m[1], _spaces(m[1])), text)


def _closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one before `at`; the text's end where none does."""
    depth = 1
    for bracket in _BRACKET.finditer(text, at):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.end()
    return len(text)


def _spaces(text: str) -> str:
    return "".join("\n" if c == "\n" else " " * len(c.encode()) for c in text)


def walk(node: tree_sitter.Node, into_errors: bool = True) -> Iterator[tree_sitter.Node]:
    """A node and all below it, in the order of the text. No recursion: generated text nests without bound."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node.child_count == 0:
            continue
        below = node.children if into_errors else [c for c in node.children if c.type != "ERROR"]
        stack += reversed(below)


def declarator_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The function declarator of a definition or declaration, below pointers and references."""
    found = node.child_by_field_name("declarator")
    while found is not None and found.type in ("pointer_declarator", "reference_declarator"):
        inner = found.child_by_field_name("declarator")
        found = inner if inner is not None or not found.named_children else found.named_children[-1]
    return found if found is not None and found.type == "function_declarator" else None


def faults(tree: Tree) -> tuple[Fault, ...]:
    """Where brackets do not match: the first sure place. Else all nodes the parser gave up on."""
    broken = tuple(_broken(tree))
    unbalanced = _unbalanced(tree.text)
    if unbalanced:
        sure = [unbalanced, *(f for f in broken if f.sure)]
        return (min(sure, key=lambda f: f.start),)
    return broken


def _broken(tree: Tree) -> Iterator[Fault]:
    stack = [tree.root]
    while stack:
        node = stack.pop()
        if node.is_missing:
            if not _after_macro(tree, node):
                yield Fault(*tree.bounds(node), f"expected '{node.type}' here", True)
        elif node.type == "ERROR":
            yield Fault(*tree.bounds(node), f"cannot read '{_shorten(tree.of(node, 80))}' as C++", False)
        elif node.has_error:
            stack += reversed(node.children)


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _after_macro(tree: Tree, node: tree_sitter.Node) -> bool:
    """A missing ';' behind `CHECK(x)`: the macro may bring its own."""
    if node.type != ";":
        return False
    at = tree.bounds(node)[0]
    while at and tree.text[at - 1].isspace():
        at -= 1
    line = tree.text[tree.text.rfind("\n", 0, at) + 1 : at]
    return bool(re.match(r"\s*[A-Z][A-Z0-9_]+\s*\(.*\)$", line))


def _unbalanced(text: str) -> Fault | None:
    """The first closing bracket that closes nothing, else the last opening one never closed."""
    if re.search(r"^\s*#\s*(?:if|ifdef|ifndef)\b", text, re.MULTILINE):
        return None  # both branches of a conditional may open the same brace
    stack: list[tuple[str, int]] = []
    for found in _CODE_BRACKET.finditer(text):
        char, i = found[0], found.start()
        if len(char) > 1:
            continue  # a comment or a literal
        if char in _OPEN:
            stack.append((_OPEN[char], i))
        elif char in ")]}":
            if not stack:
                return Fault(i, i + 1, f"'{char}' closes nothing", True)
            wanted, at = stack.pop()
            if wanted != char:
                return Fault(at, at + 1, f"'{text[at]}' is closed by '{char}'", True)
    if stack:
        at = stack[-1][1]
        return Fault(at, at + 1, f"'{text[at]}' is never closed", True)
    return None
