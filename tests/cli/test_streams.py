"""Every verb with streams that are closed, full, or a pipe whose reader went away: an exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REVERSE = Path(__file__).parents[2] / "docs" / "reverse.py"
VERBS = {
    "check": ["check", str(REVERSE)],
    "extract": ["extract", "-"],
    "explain": ["explain", "CS101"],
    "ops": ["ops"],
    "cache": ["cache", "info"],
    "doctor": ["doctor"],
    "build": ["build", "-"],
    "emulate": ["emulate", "no_such.py", "--json"],
    "port": ["port", "no_such.py", "--json"],
    "help": ["--help"],
    "wrong": ["chek", "--json"],
}
SAYS = {"check", "explain", "ops", "cache", "doctor", "help"}  # on stdout, without an error of their own


def shell(verb: str, redirection: str) -> subprocess.CompletedProcess[str]:
    command = f'"$@" {redirection}'
    words = ["sh", "-c", command, "sh", sys.executable, "-m", "cudasmith", *VERBS[verb]]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, input="")


@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_what_cannot_be_written_is_told_and_no_success(verb: str, redirection: str) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    done = shell(verb, redirection)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert done.returncode != 0
    if verb in SAYS:
        assert done.returncode == 74
        assert done.stderr.count("cudasmith: stdout cannot be written: ") == 1


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_closed_stderr_or_stdin_changes_neither_the_page_nor_the_exit_code(verb: str) -> None:
    usual = shell(verb, "")
    for redirection in ("2>&-", "<&-", "<&- 2>&-"):
        done = shell(verb, redirection)
        assert "Traceback" not in done.stderr + done.stdout
        assert done.returncode == usual.returncode, redirection
        assert done.stdout.partition("\n")[0] == usual.stdout.partition("\n")[0]


def test_a_reader_that_went_away_ends_a_verb_as_it_ends_any_program() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "cudasmith", "explain"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
