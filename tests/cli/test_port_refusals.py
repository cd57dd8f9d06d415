"""What `port` refuses before any work is done: one message, the right exit code, no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "cumsum.py")
SCRIPT = "from cudasmith.cli.main import main; main()"


def port(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return cudasmith("port", *args, env=env)


def cudasmith(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT, *args]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={**os.environ, **(env or {})}
    )


def test_an_output_that_is_no_regular_file_is_left_alone() -> None:
    done = port(EXAMPLE, "-o", "/dev/null")
    assert done.returncode == 2
    assert "error[CSW006]" in done.stderr
    assert Path("/dev/null").is_char_device()


def test_no_compiler_for_the_emulator_is_exit_code_4(tmp_path: Path) -> None:
    done = port(
        EXAMPLE,
        "-o",
        str(tmp_path / "new.py"),
        "--executor",
        "emulator",
        env={"PATH": str(tmp_path), "CXX": ""},
    )
    assert done.returncode == 4
    assert "error[CSB003]" in done.stderr and "help:" in done.stderr
    assert not (tmp_path / "new.py").exists()


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (("missing.py",), 3, "error[CSP001]"),
        ((EXAMPLE, "--timeout", "nan"), 2, "error[CSW007]"),
        ((EXAMPLE, "-o", "/nowhere/at/all/new.py"), 2, "error[CSW002]"),
        (("",), 2, "error[CSP012]: the file's name is empty"),
        ((EXAMPLE, "-o", ""), 2, "error[CSW008]: the output path is empty"),
        ((EXAMPLE, "-o", "/tmp"), 2, "error[CSW001]: the output path is a folder: /tmp\n"),
        ((EXAMPLE, "-o", "nowhere/"), 2, "error[CSW001]: the output path is a folder: nowhere/\n"),
        ((EXAMPLE, "-o", f"{EXAMPLE}/x.py"), 2, "error[CSW002]: the output folder is not a folder"),
        ((EXAMPLE, "-o", "x" * 300), 2, "error[CSW009]"),
        (
            (EXAMPLE, "-o", "/proc/x.py"),
            2,
            "error[CSW003]: cannot write in /proc: no files can be made there",
        ),
        ((EXAMPLE, "--tire", "fast"), 2, "--tier"),
    ],
)
def test_each_mistake_has_its_message_and_exit_code(args: tuple[str, ...], code: int, text: str) -> None:
    done = port(*args)
    assert done.returncode == code
    assert text in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["port", "check"])
def test_with_json_an_error_is_json_on_stdout_and_text_on_stderr(verb: str) -> None:
    done = cudasmith(verb, "missing.py", "--json")
    assert done.returncode == 3
    document = json.loads(done.stdout)
    assert document["exit_code"] == 3
    assert document["error"]["code"] == "CSP001" and document["error"]["where"] == "missing.py"
    assert document["error"]["message"] in done.stderr and document["error"]["help"] in done.stderr
    assert cudasmith(verb, "missing.py").stdout == ""


def test_help_says_what_0_means_without_an_executor() -> None:
    text = " ".join(port("--help").stdout.split())
    assert "0 verified (with --executor none: emitted, not verified)" in text
    assert "130, 143, 129 stopped by Ctrl-C, SIGTERM, SIGHUP" in text
