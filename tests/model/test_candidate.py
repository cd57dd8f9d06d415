"""The identity of a candidate."""

from __future__ import annotations

import hashlib

import pytest

from cudasmith.model import Candidate, CudasmithError


def test_a_text_that_no_file_can_hold_is_refused_at_its_line() -> None:
    with pytest.raises(CudasmithError, match=r"surrogate pair, U\+D83D") as told:
        Candidate("x = 1\ny = '\ud83d'\n", "f.py")
    assert told.value.code == "CSP004"
    assert told.value.where == "f.py:2"
    assert told.value.help


def test_characters_beyond_the_first_plane_are_text() -> None:
    text = "x = '\U0001f600'\n"
    assert Candidate(text).sha256 == hashlib.sha256(text.encode("utf-8")).hexdigest()
