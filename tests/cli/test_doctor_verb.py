"""cudasmith doctor: the page, the JSON, the exit code, --fix."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cudasmith.cli.doctor import doctor
from cudasmith.model import Condition, Mend
from cudasmith.report.doctor_text import command_lines, render_doctor
from cudasmith.stages import doctor as stage
from machines import H100, machine, toolkit, torch

OK = Condition("torch", "ok", "2.14.1")
WARN = Condition("ninja", "warn", "none", "torch builds with it", "export PATH=/v/bin:$PATH", fixable=True)
FAIL = Condition("host compiler", "fail", "none", "kernels are compiled with it", "sudo apt install g++")


def run(monkeypatch: pytest.MonkeyPatch, conditions: list[Condition], *args: str) -> tuple[int, str]:
    monkeypatch.setattr(stage, "examine", lambda: tuple(conditions))
    monkeypatch.setattr(
        stage, "fix", lambda: (Mend("made /cache"), Mend("left /x/lock: it is young", done=False))
    )
    result = CliRunner().invoke(doctor, list(args), standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.output


def test_warnings_do_not_change_the_exit_code(monkeypatch):
    code, out = run(monkeypatch, [OK, WARN])
    assert code == 0
    assert "        $ export PATH=/v/bin:$PATH\n" in out
    assert "Models can be ported and verified here. 1 warning.\n" in out
    assert "`cudasmith doctor --fix` mends: ninja." in out


def test_a_missing_need_is_exit_code_4(monkeypatch):
    code, out = run(monkeypatch, [OK, FAIL])
    assert code == 4
    assert "This machine is not ready: host compiler." in out


def test_fix_says_what_it_did_and_what_it_left(monkeypatch):
    code, out = run(monkeypatch, [OK, WARN], "--fix")
    assert code == 0
    assert "  did   made /cache\n  not   left /x/lock: it is young\n" in out
    assert "--fix` mends" not in out


def test_json_has_everything(monkeypatch):
    code, out = run(monkeypatch, [FAIL], "--json", "--fix")
    page = json.loads(out)
    assert code == 4
    assert page["conditions"][0]["status"] == "fail"
    assert page["conditions"][0]["remedy"] == "sudo apt install g++"
    assert page["mends"][0] == {"what": "made /cache", "done": True}


def test_the_page_fits_80_columns_but_for_paths_that_do_not(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))
    for device in (H100, machine().device):
        page = render_doctor(
            stage.examine(machine(torch("12.8"), device, toolkit(tmp_path / device.name))), None, "t"
        )
        for line in filter(None, page.splitlines()):
            whole = line.strip().startswith("$ export") or max(map(len, line.split())) > 80 - 24
            assert len(line) <= 80 or whole, line


def test_a_long_command_breaks_between_words_and_can_be_pasted():
    command = "/a/python -m pip install " + " ".join(f"'nvidia-cuda-part{i}==13.0.*'" for i in range(5))
    lines = command_lines(command)
    assert len(lines) > 1 and all(len(line) <= 80 for line in lines)
    pasted = " ".join(line.strip().removesuffix("\\").strip() for line in lines).removeprefix("$ ")
    assert pasted == command


def test_colour_only_when_asked():
    assert "\x1b[" not in render_doctor([OK, FAIL], None, "t")
    assert "\x1b[1;31mfail\x1b[0m" in render_doctor([OK, FAIL], None, "t", colour=True)
