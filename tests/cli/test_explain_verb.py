"""The verb explain: pages, and the diagnosis of a failure's text."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cudasmith.cli import main as entry

LOGS = Path(__file__).parents[1] / "data" / "logs"
SYMBOL = "ImportError: /x/relu.so: undefined symbol: _Z12relu_forwardmmi"


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["cudasmith", *args])
    with pytest.raises(SystemExit) as caught:
        entry.main()
    return int(caught.value.code or 0)


def log(name: str) -> str:
    return str(LOGS / f"{name}.txt")


def test_a_pasted_symbol_is_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "undefined symbol: _Z4reluf") == 0
    assert "DG401" in capsys.readouterr().out


def test_a_log_is_told_at_the_users_line_with_cause_and_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(LOGS / "missing_semicolon.py")
    assert run(monkeypatch, "explain", "--log", log("missing_semicolon"), "--file", file) == 0
    out = capsys.readouterr().out
    assert out.startswith("error[DG201] ")
    assert f"  --> {file}:5:" in out and "    5 | " in out
    assert "  help: " in out and "  cause: " in out and "  more: cudasmith explain DG201" in out


def test_a_fix_shows_the_lines_it_makes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "public_dynamic_shared_memory"
    assert run(monkeypatch, "explain", "--log", log(name), "--file", str(LOGS / f"{name}.py")) == 0
    out = capsys.readouterr().out
    assert "  fixed:\n      |   cudaFuncSetAttribute(row_sum_kernel, " in out
    assert "\n      |   row_sum_kernel<<<x.size(0), 256, cols * sizeof(float)>>>" in out


def test_the_text_of_an_error_is_diagnosed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", SYMBOL) == 0
    assert "relu_forward(unsigned long, unsigned long, int)" in capsys.readouterr().out
    assert run(monkeypatch, "explain", "cudaErrorIllegalAddress") == 0  # one word, but a known one
    assert "DG601" in capsys.readouterr().out


def test_stdin_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SYMBOL.encode() + b"\xff\n")))
    assert run(monkeypatch, "explain", "--log", "-") == 0
    assert "  --> <stdin>" in capsys.readouterr().out


def test_a_returncode_alone_is_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for code in ("-11", "139"):
        assert run(monkeypatch, "explain", "--returncode", code) == 0
        assert "DG701" in capsys.readouterr().out


def test_an_unknown_failure_is_exit_1_with_its_lines_and_how_to_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "cuda.cu(3): error: the moon is full") == 1
    out = capsys.readouterr().out
    assert "DG000" in out and "note: cuda.cu(3): error: the moon is full" in out and "report" in out
    silent = tmp_path / "run.txt"
    silent.write_text("SILENT garbage returned, no exception: tensor([8.2653e-40, 8.2653e-40])\n")
    assert run(monkeypatch, "explain", "--log", str(silent), "--returncode", "0") == 1


def test_a_diagnosis_has_a_page_by_code_and_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = []
    for name in ("DG401", "undefined-symbol"):
        assert run(monkeypatch, "explain", name) == 0
        pages.append(capsys.readouterr().out)
    assert pages[0] == pages[1] and pages[0].startswith("DG401 undefined-symbol\n")
    assert run(monkeypatch, "explain") == 0
    out = capsys.readouterr().out
    assert "CS101" in out and "DG401" in out
    assert run(monkeypatch, "explain", "undefined-symbl") == 2
    assert "DG401 (undefined-symbol)" in capsys.readouterr().err


def test_json_says_what_the_page_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(LOGS / "missing_semicolon.py")
    assert run(monkeypatch, "explain", "--json", "--log", log("missing_semicolon"), "--file", file) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["findings"][0]
    assert (document["known"], document["file"], first["code"], first["line"]) == (True, file, "DG201", 5)
    assert first["name"] == "missing-token" and first["cause"]
    assert run(monkeypatch, "explain", "--json", "no such: thing") == 1
    assert json.loads(capsys.readouterr().out)["known"] is False


def test_what_cannot_be_read_or_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "--log", str(tmp_path / "none.txt")) == 3
    assert run(monkeypatch, "explain", "--log", log("missing_semicolon"), "--file", "none.py") == 3
    assert run(monkeypatch, "explain", "--json", "--log", str(tmp_path)) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "CSP002"
    assert run(monkeypatch, "explain", "DG401", "--log", log("missing_semicolon")) == 2
    assert run(monkeypatch, "explain", "DG401", "--returncode", "1") == 2


def test_it_starts_without_torch() -> None:
    code = (
        "import sys\nfrom cudasmith.cli.explain import explain\n"
        f"explain.main(['--log', {log('declared_not_defined')!r}], standalone_mode=False)\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_what_explain_has_printed_is_recognised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(LOGS / "missing_semicolon.py")
    assert run(monkeypatch, "explain", "--log", log("missing_semicolon"), "--file", file) == 0
    first = capsys.readouterr().out
    printed = tmp_path / "printed.txt"
    printed.write_text(f"{file}: does not compile in 0.7 s (light headers, nvcc 13.0.88)\n\n{first}")
    assert run(monkeypatch, "explain", "--log", str(printed), "--file", file) == 0
    again = capsys.readouterr().out
    assert again.startswith('error[DG201] a ";" is missing') and f"  --> {file}:5:" in again
    assert run(monkeypatch, "explain", "--log", str(printed)) == 0
    assert f"note: at {file}:5" in capsys.readouterr().out


def test_json_of_a_build_is_diagnosed_by_its_logs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    printed = tmp_path / "build.json"
    raw = Path(log("missing_semicolon")).read_text()
    printed.write_text(
        json.dumps({"files": [{"path": "a.py", "builds": [{"log": raw}], "findings": []}]}, indent=2)
    )
    assert run(monkeypatch, "explain", "--log", str(printed)) == 0
    assert "DG201" in capsys.readouterr().out


def test_an_unknown_failure_as_printed_stays_unknown_or_is_known_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    printed = tmp_path / "printed.txt"
    head = "error[DG000] no diagnosis knows this failure\n  --> a.py\n"
    printed.write_text(head + "  note: cuda.cu(9): error: the moon is full\n")
    assert run(monkeypatch, "explain", "--log", str(printed)) == 1
    printed.write_text(head + '  note: cuda.cu(9): error: identifier "FLT_MAX" is undefined\n')
    assert run(monkeypatch, "explain", "--log", str(printed)) == 0


def test_an_architecture_is_to_be_changed_where_it_was_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "nvcc fatal   : Unsupported gpu architecture 'compute_20'") == 0
    out = capsys.readouterr().out
    assert "--arch" in out and "TORCH_CUDA_ARCH_LIST" in out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nvcc: command not found", "DG803"),
        ("bash: line 3: nvcc: command not found", "DG803"),
        ("g++: command not found", "DG804"),
        ("ModuleNotFoundError: No module named 'ninja'", "DG801"),
        ("Ninja is required to load C++ extensions", "DG801"),
        ("No CUDA GPUs are available", "DG617"),
        ("RuntimeError: No CUDA GPUs are available", "DG617"),
    ],
)
def test_one_pasted_line_is_enough(
    text: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", text) == 0
    assert capsys.readouterr().out.startswith(f"error[{code}] ")


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.txt", b"", "the log is empty"),
        ("blank.txt", b" \n\n", "the log is empty"),
        ("module.so", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4, "this is a binary file, no log"),
        ("zeros", bytes(4000), "this is a binary file, no log"),
        ("model.py", b"import torch\n(", "this is a Python file, no log"),
        ("model.txt", b"import torch\n\nclass ModelNew: pass\n", "this is a Python file, no log"),
    ],
)
def test_what_is_no_log_is_told_in_one_line(
    name: str,
    data: bytes,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / name).write_bytes(data)
    assert run(monkeypatch, "explain", "--log", str(tmp_path / name)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("error[") == 1 and says in err and "help: " in err


@pytest.mark.parametrize(
    "text", ["[1/2] c++ -c main.cpp\n[2/2] c++ main.o -o ops.so\n", "a.py: built in 3.1 s (light headers)\n"]
)
def test_a_log_without_a_failure_is_called_so(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "build.txt"
    log.write_text(text)
    assert run(monkeypatch, "explain", "--log", str(log)) == 1
    assert "a build that succeeded" in capsys.readouterr().out
    log.write_text(text + "Segmentation fault\n")
    run(monkeypatch, "explain", "--log", str(log))
    assert "a build that succeeded" not in capsys.readouterr().out
    log.write_text(text)
    run(monkeypatch, "explain", "--log", str(log), "--returncode", "3")
    assert "a build that succeeded" not in capsys.readouterr().out


@pytest.mark.parametrize("code", ["DG000", "CSB010", "   ", "DG999"])
def test_a_code_without_a_page_says_where_all_are(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", code) == 2
    assert "`cudasmith explain` lists " in capsys.readouterr().err


def test_an_error_of_build_has_a_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "csb020") == 0
    assert "`cudasmith check FILE` shows it" in capsys.readouterr().out
