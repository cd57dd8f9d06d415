"""What diagnoses of whole families of compiler messages share: rows of wordings, and what each row means."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from typing import ClassVar

import attrs

from cudasmith.diagnoses._compile import Q, at_caret, sound_errors
from cudasmith.diagnoses._diagnosis import Diagnosis, Hit, hit_at, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

# A name or a type between quotes, and what cudafe++ and g++ write behind it.
_QUOTED = (
    rf"{Q}(?P<NAME>.*?){Q}(?: \(aka {Q}.*?{Q}\)| {{aka {Q}.*?{Q}}})?(?: \((?:declared|previous)[^)]*\))?"
)


@attrs.frozen
class Saying:
    """Messages that mean the same.

    `told`: their wordings, without their ends. A word between grave accents stands for one in quotes, which `fact` and
    `remedy` may name in braces; «» for quotes of any kind; `~` for words that say what kind of thing it is;
    `...` for anything; `<name>` for a number, a word or a shape in brackets. {at} is the word at the caret.
    """

    told: tuple[str, ...]
    fact: str
    remedy: str


class Family(Diagnosis):
    """Base of the diagnoses that know what a compiler's messages mean, whatever names are in them.

    `header`: a regular expression for headers whose errors it explains, at the user's line that led there; by default none.
    """

    general: ClassVar[bool] = True
    header: ClassVar[str] = ""
    home: ClassVar[bool] = True  # whether it explains errors in the user's own text
    SAYINGS: ClassVar[tuple[Saying, ...]]

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        for said in self.errors(log):
            if not (self._concerns(log, said) if said.moved else self.home):
                continue
            for saying in self.SAYINGS:
                if (words := _words(saying.told, said.text)) is not None:
                    return self.hit(log, said, saying, words, candidate)
        return None

    def errors(self, log: Log) -> tuple[Said, ...]:
        """The errors that the rows may explain."""
        return sound_errors(log)

    def _concerns(self, log: Log, said: Said) -> bool:
        return bool(
            self.header and re.match(rf"[^\s:(]*(?:{self.header})[^\s:(]*[:(]\d+", log.lines[said.at])
        )

    def hit(
        self, log: Log, said: Said, saying: Saying, words: dict[str, str], candidate: Candidate | None
    ) -> Hit:
        known = defaultdict(lambda: "this", {k: v for k, v in words.items() if v}, at=_caret_word(log, said))
        fact, remedy = saying.fact.format_map(known), saying.remedy.format_map(known)
        return hit_at(said, fact, remedy, span=self.place(log, said, words, candidate))

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """Where to look, if that is not the line that the compiler named."""
        return None


def _words(told: tuple[str, ...], text: str) -> dict[str, str] | None:
    for wording in told:
        if m := wording_pattern(wording).match(text):
            return m.groupdict(default="")
    return None


@functools.cache
def wording_pattern(wording: str) -> re.Pattern[str]:
    """The regular expression of one wording of a row."""
    return re.compile(
        "".join(_part(part) for part in re.split(r"(`\w+`|<\w+>|~ ?|\.\.\.|[\u00ab\u00bb])", wording))
    )


def _part(part: str) -> str:
    if m := re.fullmatch(r"`(\w+)`", part):
        return _QUOTED.replace("NAME", m[1])
    if m := re.fullmatch(r"<(\w+)>", part):
        return rf"(?P<{m[1]}>\[[^\]]*\]|[\w.+*/-]+)"
    if part == "~":  # before a name
        return r"(?:[\w-]+ )*?"
    if part == "~ ":
        return rf"(?:[\w-]+ )*?(?:{Q}[^\"\u2018\u2019]*?{Q}(?: \([^)]*\))? )?"
    return {"...": ".*?", "\u00ab": Q, "\u00bb": Q}.get(part, re.escape(part))


def _caret_word(log: Log, said: Said) -> str:
    m = re.match(r"\w+|\S", at_caret(log, said))
    return f'"{m[0]}"' if m else "this"


class RaisedFamily(Diagnosis):
    """Base of the diagnoses that know what exceptions of libraries mean. The place is the user's innermost line.

    The last exception is explained, or the one before that led to it.
    """

    general: ClassVar[bool] = True
    SAYINGS: ClassVar[tuple[Saying, ...]]

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        for raised in reversed(log.raised):
            for saying in self.SAYINGS:
                if (words := _words(saying.told, raised.text)) is not None:
                    known = defaultdict(lambda: "this", {k: v for k, v in words.items() if v})
                    fact, remedy = saying.fact.format_map(known), saying.remedy.format_map(known)
                    return hit_raised(raised, fact, remedy, span=user_frame(log, raised.at, candidate))
        return None
