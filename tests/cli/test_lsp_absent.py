"""Without pygls the verb says what is missing."""

from __future__ import annotations

import sys

import pytest

from cudasmith.cli import main as entry


def test_without_pygls_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.delitem(sys.modules, "cudasmith.cli._lsp_server", raising=False)
    monkeypatch.setattr(sys, "argv", ["cudasmith", "lsp"])
    with pytest.raises(SystemExit) as caught:
        entry.main()
    assert caught.value.code == 2
    assert "cudasmith[lsp]" in capsys.readouterr().err
