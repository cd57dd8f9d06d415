"""The language server, spoken to as an editor does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cudasmith.rules._cases import edit

pytest.importorskip("pygls")

BAD = edit(
    ("TORCH_EXTENSION_NAME, m) {", "other, m) {  // \U0001f600"), ("  m.def", "  /* \U0001f600 */ m.def")
)


class Editor:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "cudasmith", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def notify(self, method: str, params: object, **more: object) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> Any:
        self.number += 1
        self.notify(method, params, id=self.number)
        return self.wait(lambda message: message.get("id") == self.number)["result"]

    def diagnostics(self) -> list[dict[str, Any]]:
        told = self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        return list(told["params"]["diagnostics"])

    def wait(self, wanted: Any) -> Any:
        assert self.process.stdout is not None
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            assert length, "the server ended"
            message = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return message


def test_findings_come_with_every_change_and_fixes_on_asking(tmp_path: Path) -> None:
    uri = (tmp_path / "f.py").as_uri()
    editor = Editor()
    try:
        editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        editor.notify("initialized", {})
        document = {"uri": uri, "languageId": "python", "version": 1, "text": BAD}
        editor.notify("textDocument/didOpen", {"textDocument": document})
        (found,) = editor.diagnostics()
        assert found["code"] == "CS202"
        line = found["range"]["start"]["line"]
        assert BAD.split("\n")[line].startswith("PYBIND11_MODULE(other")
        asked = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": []}}
        (action,) = editor.ask("textDocument/codeAction", asked)
        (change,) = action["edit"]["changes"][uri]
        assert change["newText"] == "TORCH_EXTENSION_NAME" and change["range"] == found["range"]
        version = {"uri": uri, "version": 2}
        editor.notify(
            "textDocument/didChange",
            {"textDocument": version, "contentChanges": [change | {"text": change["newText"]}]},
        )
        assert editor.diagnostics() == []
        editor.notify(
            "textDocument/didChange", {"textDocument": version, "contentChanges": [{"text": "x = 1\n"}]}
        )
        assert editor.diagnostics() == []
        editor.ask("shutdown", None)
        editor.notify("exit", None)
        assert editor.process.wait(timeout=30) == 0
    finally:
        editor.process.kill()
        editor.process.wait()


def test_columns_count_as_the_editor_counts_them(tmp_path: Path) -> None:
    text = edit(("import torch\n", 'import torch; "\U0001f600"  # cudasmith: ignore[CS999]\n'))
    editor = Editor()
    try:
        editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        document = {"uri": (tmp_path / "f.py").as_uri(), "languageId": "python", "version": 1, "text": text}
        editor.notify("textDocument/didOpen", {"textDocument": document})
        (found,) = editor.diagnostics()
        before = text.split("\n")[0].split("cudasmith")[0]
        assert found["range"]["start"] == {"line": 0, "character": len(before.encode("utf-16-le")) // 2}
    finally:
        editor.process.kill()
        editor.process.wait()


def test_a_text_that_no_file_can_hold_is_told_and_the_server_goes_on(tmp_path: Path) -> None:
    document = {"uri": (tmp_path / "f.py").as_uri(), "languageId": "python", "version": 1}
    editor = Editor()
    try:
        editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        for text, code in ((edit(("import torch\n", "import torch; '\ud83d'\n")), "CSP004"), (BAD, "CS202")):
            editor.notify("textDocument/didOpen", {"textDocument": document | {"text": text}})
            (found,) = editor.diagnostics()
            assert found["code"] == code
    finally:
        editor.process.kill()
        editor.process.wait()
