"""Candidate: one file's text. A new attempt is a new Candidate."""

from __future__ import annotations

import hashlib

import attrs

STDIN = "<stdin>"  # the path of a text that came by a pipe


@attrs.frozen
class Candidate:
    """The text of one ModelNew file and its identity."""

    text: str
    path: str = "<candidate>"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()
