"""check of mutated files for a while: what it cannot stand is made small and kept.

    python benchmarks/fuzz_check.py --seconds 600 --seed 1 --keep FOLDER

The snippets of all rules and the Python files of tests/data are cut, joined, swapped, nested and sprinkled with odd
characters. Of each text, in a mode drawn with it: no exception, an end within 5 s of CPU time, findings at places that
exist, two runs of the fixes equal to one, and a text that Python reads is still read after them. `extract` takes each
text too. Exit code 1 where one failed.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from cudasmith.model import Candidate, ProblemError
from cudasmith.rules._cases import CORRECT
from cudasmith.rules._rule import all_rules
from cudasmith.source.document import Document
from cudasmith.stages._check.fixes import fixed
from cudasmith.stages.check import MODES, Mode, check
from cudasmith.stages.extract import extract

LIMIT_S = 5.0  # CPU time of one text in one mode, its fixes included
REDUCTION_S = 60.0
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
ODD = ("(", ")", "[", "{", "}", '"""', "'''", "'", '"', "\\", "\\\n", "/*", "*/", "//", "#", "<<<", ">>>", "<", ";", ",", "\0", "\r",
       "\r\n", "\t", "\x0c", "\x1c", "\x85", "\u2028", "\ufeff", "\u200b", "é", "𝐱", "```", "...", "lambda: ", "@", "else:", "<think>", "</think>", "&lt;", "+", "> ", "#if 1\n",
       "#define f(x) f(x\n", "template <", "__global__ void k(", "f'{", "# cudasmith: ignore[CS405]\n", "if 1:\n ", "await ", "*a, ", ":=",
       "return\n", 'R"(', "0x", "1e999", "9" * 40, "::", "->")  # fmt: skip

_CUDA = re.compile(r'(?<=r""")[^"]*(?:"{1,2}[^"]+)*(?=""")')


class TooLong(BaseException):
    """No Exception, so that nothing between here and the loop takes it for one of its own."""


def _cut(text: str, other: str, dice: random.Random) -> str:
    start = dice.randrange(len(text) + 1)
    return text[:start] + text[start + dice.choice((1, 5, 50, 400)) :]


def _cut_off(text: str, other: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


def _double(text: str, other: str, dice: random.Random) -> str:
    start = dice.randrange(len(text) + 1)
    part = text[start : start + dice.choice((1, 20, 300))]
    return text[:start] + part * dice.choice((2, 3, 40)) + text[start + len(part) :]


def _swap_lines(text: str, other: str, dice: random.Random) -> str:
    lines = text.split("\n")
    i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def _drop_line(text: str, other: str, dice: random.Random) -> str:
    lines = text.split("\n")
    del lines[dice.randrange(len(lines))]
    return "\n".join(lines)


def _insert(text: str, other: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(ODD) + text[at:]


def _replace_word(text: str, other: str, dice: random.Random) -> str:
    """A word of the other text in the place of one of this: still much like code."""
    words, others = text.split(" "), other.split()
    if others:
        words[dice.randrange(len(words))] = dice.choice(others)
    return " ".join(words)


def _join(text: str, other: str, dice: random.Random) -> str:
    return text + dice.choice(("", "\n", " ")) + other


def _splice(text: str, other: str, dice: random.Random) -> str:
    lines, others = text.split("\n"), other.split("\n")
    start = dice.randrange(len(others))
    at = dice.randrange(len(lines) + 1)
    return "\n".join([*lines[:at], *others[start : start + dice.randrange(1, 20)], *lines[at:]])


def _nest(text: str, other: str, dice: random.Random) -> str:
    head = dice.choice(("if True:", "def f():", "class C:", "while x:", "try:"))
    tail = "\nfinally:\n    pass" if head == "try:" else ""
    return head + "\n" + "".join(f"    {line}\n" for line in text.split("\n")) + tail


def _nest_deep(text: str, other: str, dice: random.Random) -> str:
    at, opening = dice.randrange(len(text) + 1), dice.choice(("()", "[]", "{}"))
    end = min(len(text), at + dice.choice((0, 1, 10)))
    many = dice.choice((3, 60, 180, 2000))
    return text[:at] + opening[0] * many + text[at:end] + opening[1] * many + text[end:]


MUTATIONS: tuple[Callable[[str, str, random.Random], str], ...] = (
    _cut, _cut_off, _double, _swap_lines, _drop_line, _insert, _insert, _replace_word, _replace_word, _join, _splice, _nest,
    _nest_deep,
)  # fmt: skip


def texts() -> list[str]:
    """What is mutated, in an order that is the same in each run."""
    snippets = {CORRECT, *(t for r in all_rules() for t in (*r.BAD, *r.GOOD))}
    files = {p.read_text("utf-8", errors="replace") for p in sorted(DATA.rglob("*.py"))}
    return sorted(snippets | files)


def mutated(seeds: Sequence[str], dice: random.Random) -> str:
    """Half of the texts are changed in their CUDA text alone: one that Python cannot read is asked little."""
    text, other = dice.choice(seeds), dice.choice(seeds)
    inside = _CUDA.search(text) if dice.random() < 0.5 else None
    if inside is None:
        return _changed(text, other, dice)
    cuda = _CUDA.search(other)
    changed = _changed(inside[0], cuda[0] if cuda else other, dice)
    return text[: inside.start()] + changed.replace('"""', "") + text[inside.end() :]


def _changed(text: str, other: str, dice: random.Random) -> str:
    for _ in range(dice.randrange(1, 5)):
        text = dice.choice(MUTATIONS)(text or "\n", other, dice)
    return text


def stands(raw: str, mode: Mode) -> None:
    """Raises: AssertionError, or what check raised."""
    document = Document.of(raw)
    lines = document.text.split("\n")
    before = check(Candidate(document.text, "f.py"), mode)
    for verdict in before.all:
        assert verdict.span is None or 1 <= verdict.span.line <= len(lines), "a place outside the file"
    for unsafe in (False, True):
        once = fixed(document, "f.py", lambda c: check(c, mode), unsafe=unsafe)
        assert before.unreadable or not once.result.unreadable, "a fixed file that Python cannot read"
        if once.applied:
            twice = fixed(once.document, "f.py", lambda c: check(c, mode), unsafe=unsafe)
            assert twice.document == once.document, "fixes applied twice differ from once"
    for reply in (raw, f"Here:\n```python\n{raw}\n```\n", f"No.</think>\n{raw}"):
        with contextlib.suppress(ProblemError):  # "no file in it" is an answer
            extract(reply, "reply")


def fault(raw: str, mode: Mode) -> str:
    """What is wrong, in one line that is the same for one cause; empty for nothing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        stands(raw, mode)
    except TooLong:
        return f"more than {LIMIT_S:g} s of CPU time"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        cause = error.__cause__ or error
        place = traceback.extract_tb(cause.__traceback__)[-1]
        told = str(error) if isinstance(error, AssertionError) else ""
        return f"{type(cause).__name__} {told} at {Path(place.filename).name}:{place.lineno} {place.name}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def reduced(raw: str, mode: Mode, wanted: str) -> str:
    """The text without the lines, then the characters, that the fault does not need; as far as the time goes."""
    end = time.monotonic() + REDUCTION_S
    for unit in (raw.splitlines(keepends=True), None):
        parts = list(raw) if unit is None else unit
        size = max(1, len(parts) // 2)
        while size:
            at = 0
            while at < len(parts) and time.monotonic() < end:
                fewer = parts[:at] + parts[at + size :]
                if fault("".join(fewer), mode) == wanted:
                    parts = fewer
                else:
                    at += size
            size //= 2
        raw = "".join(parts)
    return raw


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where the small texts of what failed go")
    given = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _stop)
    dice, seeds, found, count = random.Random(given.seed), texts(), dict[str, str](), 0
    end = time.monotonic() + given.seconds
    while time.monotonic() < end:
        raw, mode = mutated(seeds, dice), dice.choice(MODES)
        count += 1
        wrong = fault(raw, mode)
        if wrong and wrong not in found:
            found[wrong] = small = reduced(raw, mode, wrong)
            print(f"text {count}, {mode}: {wrong}\n{small!r}\n", flush=True)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                kept = given.keep / f"{given.seed}_{count}_{mode}.py"
                kept.write_bytes(small.encode())
    print(f"{count} texts, {len(found)} kinds of faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
