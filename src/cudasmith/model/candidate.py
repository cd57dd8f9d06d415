"""Candidate: one file's text. A new attempt is a new Candidate."""

from __future__ import annotations

import hashlib

import attrs

from cudasmith.model.errors import CudasmithError
from cudasmith.model.finding import Span

STDIN = "<stdin>"  # the path of a text that came by a pipe


@attrs.frozen
class Candidate:
    """The text of one ModelNew file and its identity.

    `files`: absolute path and text of each file whose text it reads into its sources, as far as they are known; None
    for one that is no text.

    Raises: CudasmithError CSP004 for a text that no file can hold: half of a surrogate pair has no UTF-8.
    """

    text: str = attrs.field()
    path: str = "<candidate>"
    files: tuple[tuple[str, str | None], ...] = ()

    @text.validator
    def _can_be_written(self, _: object, text: str) -> None:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            raise CudasmithError(
                "CSP004",
                f"the text has no UTF-8 form: it holds half of a surrogate pair, U+{ord(text[error.start]):04X}",
                where=f"{self.path}:{line}",
                help="take that character out, or decode the text anew with the encoding it was saved in",
            ) from None

    def at(self, span: Span | None) -> tuple[str, str]:
        """Text and path of the file in which a span lies."""
        if span is None or not span.file:
            return self.text, self.path
        return dict(self.files).get(span.file) or "", span.file

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()
