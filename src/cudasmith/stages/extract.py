"""extract: a chat model's reply in, the one Python file in it out. Nothing is guessed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import attrs

from cudasmith.model.errors import ProblemError
from cudasmith.source.blocks import Block, fenced_blocks, is_fence
from cudasmith.stages._extract.code import (
    WORD,
    Said,
    added_file,
    defines,
    gaps,
    is_patch,
    several,
    tree,
    unfinished,
)
from cudasmith.stages._extract.plain import Plain, plain

_CODE_START = re.compile(r"(?:import|from|class|def|@|#|\"\"\"|''')")
_STARTS = 5
_TRIES = 60


@attrs.frozen
class Extracted:
    """`text` ends with a line end. `notes`: what was left out or supposed, for the user."""

    text: str
    notes: tuple[str, ...]


def extract(reply: str, name: str, *, block: int | None = None) -> Extracted:
    """The Python file in a reply: the block that defines ModelNew, or the reply itself.

    `block`: which one, counted from 1, where several do.

    Raises: ProblemError CSP090 where there is none, CSP091 where there are several, CSP092 where it is not
    Python, CSP093 where its CUDA text stands in another block, CSP094 where the model has left parts of it out,
    CSP096 where it is a patch.
    """
    given = plain(reply, name)
    place = _Place(given, name)
    if block is None and defines(tree(given.text)):
        _refuse_gaps(given.text, 0, place)
        return Extracted(_ended(given.text), given.notes)
    blocks = [_applied(b) for b in fenced_blocks(given.text, lambda body: tree(body) is not None)]
    candidates = _apart([b for b in blocks if defines(tree(b.text))])
    if not candidates:
        return _without_block(given, blocks, place)
    chosen = _chosen(candidates, block, place)
    _refuse_gaps(chosen.text, chosen.line, place)
    _refuse_missing_sources(chosen, blocks, place)
    return Extracted(_ended(chosen.text), (*given.notes, *_told(chosen, len(blocks) - 1, place)))


@attrs.frozen
class _Place:
    """Names places of the reply, in its own lines."""

    given: Plain
    name: str

    def line(self, line: int) -> int:
        return self.given.line(line)

    def at(self, line: int) -> str:
        return f"{self.name}:{self.line(line)}"

    def lines(self, block: Block) -> str:
        return f"lines {self.line(block.line + 1)} to {self.line(block.last - block.closed)}"


def _told(chosen: Block, others: int, place: _Place) -> list[str]:
    notes = []
    if not chosen.closed:
        opened = place.line(chosen.line)
        notes.append(
            f"the fence in line {opened} is never closed, as where a reply is cut off: taken to the end"
        )
    if others:
        many = f"{others} other block{'s' if others > 1 else ''}"
        notes.append(f"{place.lines(chosen)}; {many} left out")
    return notes


def _applied(block: Block) -> Block:
    """A patch that makes the file out of nothing is the file."""
    added = added_file(block.text)
    return block if added is None else attrs.evolve(block, text=added)


def _apart(defining: Sequence[Block]) -> list[Block]:
    """The blocks of which none says what another does, and less."""
    unique = list({b.text.strip(): b for b in defining}.values())
    said = [Said.by(b.text) for b in unique]
    return [b for b, own in zip(unique, said, strict=True) if not any(own.part_of(other) for other in said)]


def _refuse_gaps(text: str, above: int, place: _Place) -> None:
    """`above`: how many lines stand above the text."""
    found = gaps(text)
    if found:
        line, said = found[0]
        raise _not_whole(f"in the place of code stands: {said}", above + line, place)
    module = tree(text)
    bare = unfinished(module) if module else None
    if bare:
        raise _not_whole(bare[1], above + bare[0], place)


def _not_whole(fact: str, line: int, place: _Place) -> ProblemError:
    message = f"the file is not whole: {fact}"
    help = "ask again for the whole file, with nothing left out"
    return ProblemError("CSP094", message, where=place.at(line), help=help, exit_code=1)


def _chosen(candidates: Sequence[Block], block: int | None, place: _Place) -> Block:
    if block is not None and not 1 <= block <= len(candidates):
        count = len(candidates)
        many = (
            f"{count} blocks of the reply define ModelNew"
            if count > 1
            else "one block of the reply defines it"
        )
        raise ProblemError("CSP091", f"there is no block {block}: {many}", where=place.name)
    if block is None and len(candidates) > 1:
        places = [f"{i}: {place.lines(b)}" for i, b in enumerate(candidates, 1)]
        raise several(places, place.name, "choose one: --block N")
    return candidates[(block or 1) - 1]


def _refuse_missing_sources(chosen: Block, blocks: Sequence[Block], place: _Place) -> None:
    """CUDA text in a block of its own is not in the file, whatever the Python block calls it."""
    module = tree(chosen.text)
    assert module is not None
    nodes = list(ast.walk(module))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {
        a.asname or a.name for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names
    }
    bound |= {a.arg for a in nodes if isinstance(a, ast.arg)}
    missing = [n.id for call in nodes for n in _source_names(call) if n.id not in bound and "*" not in bound]
    if not missing:
        return
    cuda = [b for b in blocks if b.language in ("cpp", "c++", "cuda", "cu", "c")]
    where = f"; CUDA text stands in the block of line {place.line(cuda[0].line)}" if cuda else ""
    raise ProblemError(
        "CSP093",
        f"the block of line {place.line(chosen.line)} builds from {missing[0]}, which is not in it{where}",
        where=place.name,
        help=f'put the text into the Python file: {missing[0]} = r"""..."""',
        exit_code=1,
    )


def _source_names(call: ast.AST) -> Iterator[ast.Name]:
    if (
        isinstance(call, ast.Call)
        and getattr(call.func, "attr", getattr(call.func, "id", "")) == "load_inline"
    ):
        for keyword in call.keywords:
            if keyword.arg in ("cpp_sources", "cuda_sources"):
                yield from (n for n in ast.walk(keyword.value) if isinstance(n, ast.Name))


def _without_block(given: Plain, blocks: Sequence[Block], place: _Place) -> Extracted:
    """No block is the file: the code may stand between sentences, or be broken."""
    broken = [b for b in blocks if re.search(rf"\bclass\s+{WORD}\b", b.text)]
    _refuse_patch(broken or [Block("", given.text, 0, 0, True)], place)
    if broken:
        raise _not_python(broken[-1], place)
    lines = given.text.split("\n")
    for start in [i for i, line in enumerate(lines) if _CODE_START.match(line)][:_STARTS]:
        for end in _ends(lines, start):
            body = "\n".join(lines[start:end])
            if defines(tree(body)):
                _refuse_gaps(body, start, place)
                kept = f"lines {start + 1} to {end} of {len(lines)}; the rest is no code"
                return Extracted(_ended(body), (*given.notes, kept))
    raise _nothing(given.text, blocks, place)


def _nothing(text: str, blocks: Sequence[Block], place: _Place) -> ProblemError:
    if WORD in text:
        fact = "the reply speaks of ModelNew, but no part of it is a Python file that defines it"
    else:
        fact = "the reply has no Python code that defines ModelNew"
    help = "was the reply cut off? cudasmith check shows what is wrong with a file"
    if blocks and not blocks[-1].closed and blocks[-1].text.strip():
        fact += f"; the fence in line {place.line(blocks[-1].line)} is never closed: the reply was cut off"
        help = "ask again for the whole file"
    return ProblemError("CSP090", fact, where=place.name, help=help, exit_code=1)


def _refuse_patch(texts: Sequence[Block], place: _Place) -> None:
    patch = next((b for b in texts if is_patch(b.text)), None)
    if patch is not None:
        fact, help = "the reply changes a file that it does not show: it is a patch", "ask for the whole file"
        raise ProblemError("CSP096", fact, where=place.at(patch.line + 1), help=help, exit_code=1)


def _ends(lines: Sequence[str], start: int) -> list[int]:
    """Where code that begins at `start` may end: before lines that are not indented, the last first."""
    outer = [i for i in range(start + 1, len(lines)) if lines[i][:1].strip() or is_fence(lines[i])]
    return [len(lines), *reversed(outer)][:_TRIES]


def _not_python(block: Block, place: _Place) -> ProblemError:
    left_out = gaps(block.text)
    if left_out:
        return _not_whole(
            f"in the place of code stands: {left_out[0][1]}", block.line + left_out[0][0], place
        )
    try:
        ast.parse(block.text)
        fault, line = "it cannot be read", block.line
    except SyntaxError as error:
        fault, line = error.msg, block.line + (error.lineno or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        fault, line = str(error) or "it nests too deeply", block.line
    cut = "; the fence is never closed: the reply was cut off" if not block.closed else ""
    opened = place.line(block.line)
    message = f"the block of line {opened} defines ModelNew, but is not Python: {fault}{cut}"
    help = "ask again for the whole file" if cut else "mend the line, or ask again"
    return ProblemError("CSP092", message, where=place.at(line), help=help, exit_code=1)


def _ended(text: str) -> str:
    return text.strip("\n") + "\n"
