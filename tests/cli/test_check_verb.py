"""The verbs check and explain."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cudasmith.cli import main as entry
from cudasmith.rules._cases import CORRECT, edit

BAD = edit(("TORCH_EXTENSION_NAME", "other"))


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["cudasmith", *args])
    with pytest.raises(SystemExit) as caught:
        entry.main()
    return int(caught.value.code or 0)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "good.py").write_text(CORRECT)
    (tmp_path / "bad.py").write_text(BAD)
    return str(tmp_path / "good.py"), str(tmp_path / "bad.py")


def test_exit_code_is_1_when_any_file_fails(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "check", files[0]) == 0
    assert "passed: no findings" in capsys.readouterr().out
    assert run(monkeypatch, "check", *files) == 1
    out = capsys.readouterr().out
    assert "error[CS202]" in out
    assert "PYBIND11_MODULE(other, m)" in out
    assert "bad.py: failed: 1 error" in out


def test_json_is_one_document(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "check", "--json", "--mode", "default", *files) == 1
    document = json.loads(capsys.readouterr().out)
    assert [f["status"] for f in document["files"]] == ["passed", "failed"]
    assert document["files"][1]["findings"][0]["code"] == "CS202"


@pytest.mark.parametrize(
    ("name", "content", "code", "error"),
    [
        ("none.py", None, 3, "CSP001"),
        (".", None, 2, "CSP002"),
        ("empty.py", b"\n", 2, "CSP003"),
        ("binary.py", b"\x7fELF\xff\xfe", 2, "CSP004"),
        ("", None, 2, "CSP012"),
    ],
)
def test_what_is_no_text_is_told_as_port_tells_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    code: int,
    error: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    said = []
    for verb in ("check", "port"):
        assert run(monkeypatch, verb, name) == code
        said.append(capsys.readouterr().err.splitlines())
    assert said[0][:-1] == said[1][:-1]  # all but the help, which says what the file should hold
    assert said[0][0].startswith(f"error[{error}]: ") and said[0][-1].startswith("  help: ")
    assert "Errno" not in said[0][0] and "codec" not in said[0][0]


def test_a_wrong_mode_is_a_usage_error(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "check", "--mode", "severe", files[0]) == 2


def test_explain_prints_the_page_and_knows_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "CS202") == 0
    assert "TORCH_EXTENSION_NAME" in capsys.readouterr().out
    assert run(monkeypatch, "explain", "CS20") == 2
    assert "nearest" in capsys.readouterr().err


def test_launches_are_judged_at_the_sizes_of_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    launch = "<<<x.size(0), x.size(1), 0, c10::cuda::getCurrentCUDAStream()>>>("
    text = edit(("<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(", launch))
    (tmp_path / "new.py").write_text(text)
    reference = (
        "import torch\n\n\nclass Model(torch.nn.Module):\n    def __init__(self, by):\n        super().__init__()\n\n    def forward(self, x):\n        return x * 2\n\n\n"
        "def get_inputs():\n    return [torch.rand(3, WIDTH)]\n\n\ndef get_init_inputs():\n    return [2]\n"
    )
    for width, code in (("1024", 0), ("1025", 1)):
        (tmp_path / "reference.py").write_text(reference.replace("WIDTH", width))
        problem = ("--problem", str(tmp_path / "reference.py"))
        assert run(monkeypatch, "check", *problem, str(tmp_path / "new.py")) == code
    assert "1,025 threads in a block" in capsys.readouterr().out
