"""The verbs check and explain."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cudasmith.cli import main as entry
from cudasmith.model import Candidate
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


def test_a_bad_file_among_good_ones_is_told_and_the_others_go_on(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\xff")
    binary, missing = str(tmp_path / "binary.py"), str(tmp_path / "none.py")
    assert run(monkeypatch, "check", files[0], binary, files[1]) == 2
    said = capsys.readouterr()
    assert "CSP004" in said.err and "good.py: passed" in said.out and "bad.py: failed" in said.out
    assert said.out.splitlines()[-1] == "3 files: 1 passed, 1 failed, 1 not checked"
    assert run(monkeypatch, "check", "--json", files[0], missing) == 3
    document = json.loads(capsys.readouterr().out)
    assert [f["status"] for f in document["files"]] == ["passed", "unread"]
    assert document["files"][1]["error"]["code"] == "CSP001"
    assert run(monkeypatch, "check", "--json", binary, missing) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "CSP004"


def test_a_folder_is_searched_and_an_empty_one_is_no_pass(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, "check", str(tmp_path), files[0]) == 1
    assert capsys.readouterr().out.count("good.py: passed") == 1
    (tmp_path / "empty").mkdir()
    assert run(monkeypatch, "check", str(tmp_path / "empty")) == 3
    assert "CSP014" in capsys.readouterr().err
    (tmp_path / "other.py").write_text("x = 1\n")
    assert run(monkeypatch, "check", "--only-candidates", str(tmp_path / "other.py")) == 0
    assert capsys.readouterr().out == ""


def test_fix_writes_the_file_and_keeps_its_mode_links_and_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, link = tmp_path / "f.py", tmp_path / "link.py"
    before = BAD.replace("\n", "\r\n").encode()
    file.write_bytes(before)
    file.chmod(0o751)
    link.symlink_to(file)
    assert run(monkeypatch, "check", "--diff", str(link)) == 1
    said = capsys.readouterr()
    assert "-PYBIND11_MODULE(other, m) {\r\n+PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\r\n" in said.out
    assert said.out.startswith("--- ") and file.read_bytes() == before
    assert run(monkeypatch, "check", "--fix", str(link)) == 0
    assert "passed: no findings, 1 fixed" in capsys.readouterr().out
    assert file.read_bytes() == CORRECT.replace("\n", "\r\n").encode()
    assert file.stat().st_mode & 0o777 == 0o751 and link.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f.py", "link.py"]
    assert run(monkeypatch, "check", "--diff", str(file)) == 0
    assert capsys.readouterr().out == ""


def test_a_read_only_file_is_not_fixed(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[1]).chmod(0o444)
    assert run(monkeypatch, "check", "--fix", files[1], files[0]) == 2
    assert "read-only" in capsys.readouterr().err and Path(files[1]).read_text() == BAD


@pytest.mark.parametrize(
    "options",
    [("--select", "CS4"), ("--ignore", "CS102,CS101"), ("--select", "")],
    ids=["select", "ignore", "nothing"],
)
def test_no_choice_of_rules_passes_a_file_that_python_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, str]
) -> None:
    (tmp_path / "f.py").write_text("class ModelNew(:\n")
    assert run(monkeypatch, "check", *options, str(tmp_path / "f.py")) in (1, 2)


def test_a_baseline_passes_no_file_that_python_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f.py").write_text("class ModelNew(:\n")
    given = ["--baseline", str(tmp_path / "known.json"), str(tmp_path / "f.py")]
    assert run(monkeypatch, "check", "--write-baseline", *given) == 0
    assert run(monkeypatch, "check", *given) == 1


def test_stdin_has_a_name_and_its_fixed_text_goes_to_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.cudasmith]\nignore = ["CS202"]\n')
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(BAD.encode())))
    assert run(monkeypatch, "check", "--fix", "-") == 0
    said = capsys.readouterr()
    assert said.out == CORRECT and "<stdin>: passed" in said.err
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(BAD.encode())))
    assert run(monkeypatch, "check", "-", "--stdin-filename", str(tmp_path / "g.py")) == 0
    assert "g.py: passed" in capsys.readouterr().out


def test_a_baseline_silences_what_was_there_before(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    baseline = str(tmp_path / "known.json")
    assert run(monkeypatch, "check", "--baseline", baseline, files[1]) == 3
    assert run(monkeypatch, "check", "--baseline", baseline, "--write-baseline", *files) == 0
    capsys.readouterr()
    assert run(monkeypatch, "check", "--baseline", baseline, *files) == 0
    assert "no findings, 1 in the baseline" in capsys.readouterr().out


def test_ignored_findings_are_counted_in_strict_mode_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.py").write_text(
        edit(("other, m) {", "other, m) {  // cudasmith: ignore[CS202]"), text=BAD)
    )
    assert run(monkeypatch, "check", "--mode", "strict", str(tmp_path / "f.py")) == 0
    assert "passed: no findings, 1 ignored" in capsys.readouterr().out


def test_options_win_over_the_configuration(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.cudasmith]\nignore = ["CS2"]\nmode = "lenient"\n')
    assert run(monkeypatch, "check", "--json", files[1]) == 0
    assert json.loads(capsys.readouterr().out)["mode"] == "lenient"
    assert run(monkeypatch, "check", "--ignore", "CS4", files[1]) == 1
    assert (
        run(monkeypatch, "check", "--select", "CS202", "--ignore", "CS4", "--mode", "strict", files[1]) == 1
    )
    (tmp_path / "pyproject.toml").write_text("[tool.cudasmith]\nignor = []\n")
    capsys.readouterr()
    assert run(monkeypatch, "check", *files) == 2
    said = capsys.readouterr()
    assert said.err.count("error[") == 1 and "pyproject.toml:2" in said.err and "ignore" in said.err


@pytest.mark.parametrize(
    "options",
    [("--unsafe",), ("--fix", "--diff"), ("--write-baseline",), ("--diff", "--json"), ("--select", "CS7"), ("--checklist", "--format", "sarif"), ("--json", "--format", "sarif")],
)  # fmt: skip
def test_options_that_do_not_go_together_are_wrong_usage(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    assert run(monkeypatch, "check", *options, files[0]) == 2


def test_the_checklist_is_text_or_json_and_exits_as_check(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "check", "--checklist", *files) == 1
    out = capsys.readouterr().out
    assert "CS202 the module is called other" in out and "not decided" in out
    assert run(monkeypatch, "check", "--checklist", "--json", files[0]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert {p["answer"] for p in file["checklist"]} == {"yes", "not_decided"}


def test_a_file_beyond_all_sources_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "big.py").open("wb") as file:
        file.truncate(100 * 2**20)
    assert run(monkeypatch, "check", str(tmp_path / "big.py")) == 2
    assert "CSP013" in capsys.readouterr().err


def test_check_and_its_forms_start_without_torch(files: tuple[str, str]) -> None:
    code = (
        "import sys; from cudasmith.cli.main import cli\n"
        f"for form in ('text', 'json', 'sarif', 'github'): cli.main(['check', '--format', form, {files[1]!r}], standalone_mode=False)\n"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, stdout=subprocess.DEVNULL)


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


def test_a_rule_that_fails_by_its_own_fault_loses_no_other_file(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cudasmith.rules.cs405_launch_checked import LaunchChecked

    def fails_on_bad(self: object, subject: object) -> list[object]:
        if "other" in subject.file.candidate.text:  # type: ignore[attr-defined]
            raise IndexError("tuple index out of range")
        return []

    monkeypatch.setattr(LaunchChecked, "check", fails_on_bad)
    assert run(monkeypatch, "check", "--json", *files) == 70
    told = json.loads(capsys.readouterr().out)["files"]
    assert [f["path"] for f in told] == list(files)
    assert told[0]["status"] == "passed" and "CS405" in json.dumps(told[1])


def test_a_link_to_itself_is_no_such_file_and_the_others_go_on(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    loop = tmp_path / "loop.py"
    loop.symlink_to(loop)
    assert run(monkeypatch, "check", str(loop), files[0]) in (2, 3)
    assert "passed: no findings" in capsys.readouterr().out


def test_sarif_takes_names_that_are_no_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(tmp_path) + "/bad\udcff.py"
    Path(name).write_text(CORRECT)
    assert run(monkeypatch, "check", "--format", "sarif", name) == 0
    assert "bad%FF.py" in capsys.readouterr().out


def test_a_forward_without_self_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.py"
    file.write_text(
        edit(
            (
                "def forward(self, x):\n        return Scale.apply(self.ext, x, self.by)",
                "def forward(x: torch.Tensor):\n        return Scale.apply(None, x, 2.0)",
            )
        )
    )
    assert run(monkeypatch, "check", "--mode", "default", str(file)) == 1
    assert "forward has no self" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["check", "extract"])
def test_a_named_pipe_or_a_device_is_refused_at_once(tmp_path: Path, verb: str) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    for name in (str(tmp_path / "pipe.py"), "/dev/zero"):
        command = [sys.executable, "-m", "cudasmith", verb, name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and done.stderr.startswith("error[CSP015]")


def test_a_named_pipe_in_a_folder_is_told_and_the_others_go_on(
    files: tuple[str, str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    command = [sys.executable, "-m", "cudasmith", "check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (
        done.returncode == 2
        and "CSP015" in done.stderr
        and "1 passed, 1 failed, 1 not checked" in done.stdout
    )


def test_a_shells_own_pipe_is_read(files: tuple[str, str]) -> None:
    command = f"cat {files[0]} | {sys.executable} -m cudasmith check /dev/stdin"
    subprocess.run(command, shell=True, check=True, timeout=60, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("args", [("check", "-"), ("extract", "-"), ("explain", "--log", "-")])
def test_a_closed_stdin_is_told(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert run(monkeypatch, *args) == 2
    assert "CSP016" in capsys.readouterr().err


def test_stdin_that_is_named_twice_is_checked_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(CORRECT.encode())))
    assert run(monkeypatch, "check", "-", "-") == 0
    assert capsys.readouterr().out == "<stdin>: passed: no findings\n"


def test_a_folder_in_a_folder_that_cannot_be_read_is_told(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "closed").mkdir()
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    Path(files[1]).unlink()
    assert run(monkeypatch, "check", str(tmp_path)) == 3
    said = capsys.readouterr()
    assert f"--> {tmp_path / 'closed'}" in said.err and "1 passed, 1 not checked" in said.out


def test_a_file_that_python_cannot_read_shows_why_whatever_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, known = tmp_path / "f.py", str(tmp_path / "known.json")
    file.write_text("class ModelNew(:  # cudasmith: ignore[CS102]\n")
    run(monkeypatch, "check", "--baseline", known, "--write-baseline", str(file))
    capsys.readouterr()
    for options in ((), ("--baseline", known)):
        assert run(monkeypatch, "check", *options, str(file)) == 1
        out = capsys.readouterr().out
        assert "error[CS102]" in out and "failed: 1 error\n" in out


def test_the_checklist_is_answered_by_all_rules_asked_once(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cudasmith.rules.cs202_module_name import ModuleName

    asked = []
    real = ModuleName.check

    def counted(self: ModuleName, subject: object) -> object:
        asked.append(subject)
        return real(self, subject)  # type: ignore[arg-type]

    monkeypatch.setattr(ModuleName, "check", counted)
    for options, code in (((), 1), (("--select", "CS4"), 0)):
        asked.clear()
        assert run(monkeypatch, "check", "--checklist", *options, files[1]) == code
        assert "CS202 the module is called other" in capsys.readouterr().out and len(asked) == 1


def test_a_fault_before_the_rules_loses_no_other_file(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cudasmith.stages import check as stage

    real = stage.parse_file

    def fails_on_bad(candidate: Candidate) -> object:
        if "other" in candidate.text:
            raise KeyError("a name")
        return real(candidate)

    monkeypatch.setattr(stage, "parse_file", fails_on_bad)
    assert run(monkeypatch, "check", "--fix", files[1], files[0]) == 70
    said = capsys.readouterr()
    assert said.err.startswith("error[CSU003]") and "KeyError" in said.err and "good.py: passed" in said.out
    assert Path(files[1]).read_text() == BAD


def test_each_file_is_checked_once_and_links_in_a_circle_end(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "same.py").symlink_to(files[0])
    assert run(monkeypatch, "check", files[0], str(tmp_path / "same.py"), str(tmp_path), str(tmp_path)) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 files: 1 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("tool = 3\n", 1, "tool is no table"),
        ("[tool]\ncudasmith = 3\n", 1, "[tool.cudasmith] is no table"),
        ("x = =\n", 1, "this is not TOML"),
        ("[tool.cudasmith]\nmode = 3\n", 2, "mode is 3"),
        ('[tool.cudasmith]\nselect = "CS4"\n', 2, "select is no list"),
        ("[tool.cudasmith]\nignore = [4]\n", 2, "ignore is no list"),
        ("[tool.cudasmith]\nexclude = 1.5\n", 2, "exclude is no list"),
        ('[tool.cudasmith]\nper-file-ignores = ["a"]\n', 2, "per-file-ignores is no table"),
        ('[tool.cudasmith]\nper-file-ignores = { "a" = "CS4" }\n', 2, "a is no list"),
        ("[tool.cudasmith]\nmode = 'lenient'\nmodes = 1\n", 3, "no key modes"),
    ],
)
def test_a_wrong_configuration_is_told_at_its_line(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    line: int,
    words: str,
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert run(monkeypatch, "check", *files) == 2
    said = capsys.readouterr()
    assert said.err.count("error[") == 1 and words in said.err and said.out == ""
    assert f"pyproject.toml:{line}\n" in said.err


def test_unsafe_fixes_add_a_device_guard_with_its_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard, header = (
        "  const c10::cuda::CUDAGuard guard(x.device());\n",
        "#include <c10/cuda/CUDAGuard.h>\n",
    )
    place = tmp_path / "new.py"
    place.write_text(edit((guard, ""), (header, "")))
    run(monkeypatch, "check", "--fix", str(place))
    assert guard not in place.read_text()
    assert run(monkeypatch, "check", "--fix", "--unsafe", str(place)) == 0
    assert guard in place.read_text() and header in place.read_text()
