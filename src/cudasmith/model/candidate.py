"""Candidate: one file's text. A new attempt is a new Candidate."""

from __future__ import annotations

import hashlib

import attrs

from cudasmith.model.finding import Span

STDIN = "<stdin>"  # the path of a text that came by a pipe


@attrs.frozen
class Candidate:
    """The text of one ModelNew file and its identity.

    `files`: absolute path and text of each file whose text it reads into its sources, as far as they are known; None
    for one that is no text.
    """

    text: str
    path: str = "<candidate>"
    files: tuple[tuple[str, str | None], ...] = ()

    def at(self, span: Span | None) -> tuple[str, str]:
        """Text and path of the file in which a span lies."""
        if span is None or not span.file:
            return self.text, self.path
        return dict(self.files).get(span.file) or "", span.file

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()
