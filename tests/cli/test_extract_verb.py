"""The verb extract."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cudasmith.cli import main as entry
from cudasmith.rules._cases import CORRECT


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["cudasmith", "extract", *args])
    with pytest.raises(SystemExit) as caught:
        entry.main()
    return int(caught.value.code or 0)


def test_the_file_goes_to_stdout_or_to_a_path_and_nowhere_when_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reply, none, out = tmp_path / "reply.md", tmp_path / "none.md", tmp_path / "out.py"
    reply.write_text(f"Here:\n```python\n{CORRECT}")
    none.write_text("Sorry.\n")
    assert run(monkeypatch, str(reply)) == 0
    said = capsys.readouterr()
    assert said.out == CORRECT and "never closed" in said.err
    assert run(monkeypatch, str(none), "-o", str(out)) == 1
    assert not out.exists() and "CSP090" in capsys.readouterr().err
    assert run(monkeypatch, str(reply), "-o", str(out), "--json") == 0
    page = json.loads(capsys.readouterr().out)
    assert out.read_text() == CORRECT and page["output"] == str(out) and len(page["notes"]) == 1
    assert run(monkeypatch, str(reply), "-o", str(reply)) == 2
    assert run(monkeypatch, str(tmp_path / "gone.md")) == 3
    assert reply.read_text().startswith("Here:")
