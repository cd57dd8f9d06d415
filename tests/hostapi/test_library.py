"""The library behind the light headers: what a compiler's complaint proves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cudasmith.hostapi.library import _checked
from cudasmith.model import CudasmithError

FAILS = [sys.executable, "-c", "import sys; sys.exit('x.h:1:1: error: no such thing')"]


def test_a_store_deleted_under_the_compiler_is_told_apart_from_headers_that_do_not_compile(
    tmp_path: Path,
) -> None:
    with pytest.raises(FileNotFoundError):
        _checked(FAILS, tmp_path / "deleted")
    with pytest.raises(CudasmithError, match="does not compile"):
        _checked(FAILS, tmp_path)
