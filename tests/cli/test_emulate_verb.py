"""`cudasmith emulate` as a command: exit codes, JSON, errors with a place and a remedy, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

COMMAND = [sys.executable, "-m", "cudasmith", "emulate"]
SUBJECTS = Path(__file__).parents[1] / "data" / "emulate" / "subjects.py"
FORWARD = "return ext.scale(x, 2.0)  # FORWARD"


def emulate(*arguments: str, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


@pytest.fixture
def variant(tmp_path: Path):
    """A file whose forward is the given text."""

    def make(forward: str) -> str:
        path = tmp_path / "candidate.py"
        path.write_text(SUBJECTS.read_text().replace(FORWARD, forward))
        return str(path)

    return make


def test_a_clean_run_says_what_was_launched_compared_and_checked() -> None:
    done = emulate(str(SUBJECTS))
    assert done.returncode == 0, done.stdout + done.stderr
    page = done.stdout
    assert "scale_kernel" in page and "equal with inputs 50" in page
    assert "the outputs changed when no kernel ran" in page
    assert "  checked:     every access of every launch to global and shared memory" in page
    assert (
        "  not checked: local variables that nobody wrote, beyond what the compiler sees; host code that touches memory of the device"
        in page
    )
    assert page.rstrip().splitlines()[-1].startswith(f"{SUBJECTS}: clean: no findings, 1 launch in ")


def test_json_of_a_faulty_run(variant) -> None:
    done = emulate(variant("return ext.reversed_racy(x)"), "--json", "--order", "random", "--seed", "7")
    page = json.loads(done.stdout)
    assert done.returncode == 1 and page["schema"] == 1 and not page["passed"]
    assert (page["mode"], page["order"], page["seed"], page["status"]) == ("checked", "random", 7, "ENDED")
    race = next(f for f in page["findings"] if f["code"] == "EM203")
    assert race["line"] and any("the other access: line" in note for note in race["notes"])
    assert page["launches"][0]["kernel"] == "reverse_kernel" and page["launches"][0]["block"] == [64, 1, 1]


def test_stdin_is_a_file_too(variant) -> None:
    text = Path(variant("return ext.beyond(x)")).read_text()
    done = emulate("-", stdin=text)
    assert done.returncode == 1 and "--> <stdin>:" in done.stdout and "// beyond" in done.stdout


def test_the_target_is_what_the_device_says_it_is(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    text = SUBJECTS.read_text()
    text = text[: text.index("class Model(")]
    path.write_text(
        text + 'ext.scale(torch.ones(3, device="cuda"), 2.0)\nprint(torch.cuda.get_device_name())\n'
    )
    done = emulate(str(path), "--target", "t4")
    assert done.returncode == 0 and "Tesla T4" in done.stdout and "target t4" in done.stdout


@pytest.mark.parametrize(
    ("text", "options", "code", "exit_code"),
    [
        (None, (), "CSP001", 3),
        ("", (), "CSP003", 2),
        ("class ModelNew(:\n", (), "CSB020", 2),
        ("x = 1\n", (), "CSE001", 2),
        ("class ModelNew: pass\n", (), "CSE002", 2),
        ("class ModelNew: pass\n", ("--reference", "no_such_file.py"), "CSP001", 3),
    ],
)
def test_an_input_that_cannot_be_run_is_one_error(
    tmp_path: Path, text: str | None, options: tuple[str, ...], code: str, exit_code: int
) -> None:
    path = tmp_path / "file.py"
    if text is not None:
        path.write_text(text)
    done = emulate(str(path), *options, "--json")
    page = json.loads(done.stdout)
    assert (page["error"]["code"], page["exit_code"], done.returncode) == (code, exit_code, exit_code)
    assert page["error"]["help"] and f"error[{code}]" in done.stderr


def test_a_kernel_that_is_not_launched_is_a_wrong_input() -> None:
    done = emulate(str(SUBJECTS), "--kernel", "relu")
    assert done.returncode == 2 and done.stdout == ""
    assert "error[CSE004]" in done.stderr and "launched: scale_kernel" in done.stderr


def test_a_reference_that_fails_is_told_as_such(variant, tmp_path: Path) -> None:
    reference = tmp_path / "reference.py"
    reference.write_text(
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x @ x\n"
        "def get_inputs():\n    return [torch.rand(2, 3)]\n"
    )
    done = emulate(variant(FORWARD), "--reference", str(reference))
    assert done.returncode == 2 and "error[CSP040]" in done.stderr and "reference.py" in done.stderr


def test_without_a_compiler_it_says_so(tmp_path: Path) -> None:
    done = emulate(str(SUBJECTS), PATH=str(tmp_path), CXX="")
    assert done.returncode == 4, done.stderr
    assert "error[" in done.stderr and "g++" in done.stderr


def test_an_unknown_option_value_lists_those_that_are() -> None:
    done = emulate(str(SUBJECTS), "--target", "h2000")
    assert done.returncode == 2 and "h200" in done.stderr and "a100" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_process(variant, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*COMMAND, variant("return ext.spin(x)")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # a suite in the background ignores SIGINT
    )
    assert process.stderr is not None
    while "running forward" not in (said := process.stderr.readline()):
        assert said, "it ended before forward"
    time.sleep(0.5)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 128 + number and out == "" and "stopped by" in err
    _, alive = psutil.wait_procs(children, timeout=10)
    assert children and not alive, alive


def test_the_readmes_example_is_what_is_printed() -> None:
    root = Path(__file__).parents[2]
    readme = (root / "README.md").read_text()
    shown = readme.partition("error[EM203] race on byte 512")[2].partition("```")[0].strip().splitlines()[1:]
    done = subprocess.run(
        [*COMMAND, "docs/reverse.py", "--order", "reverse"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and len(shown) > 10
    assert [line for line in shown if line not in done.stdout] == []
