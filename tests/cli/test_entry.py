"""The ways to start the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from cudasmith import __version__


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "cudasmith", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"cudasmith, version {__version__}\n")


@pytest.mark.parametrize(
    "verb",
    ["port", "check", "build", "emulate", "explain", "ops", "cache info", "cache clear", "doctor", "nothing"],
)
def test_wrong_usage_is_json_too_where_that_is_asked_for(verb: str) -> None:
    command = [sys.executable, "-m", "cudasmith", *verb.split(), "--json", "--no-such-option"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    page = json.loads(done.stdout)
    assert done.returncode == 2 == page["exit_code"] and page["error"]["code"] == "CSU001"
    assert page["error"]["message"] and page["error"]["message"] in " ".join(done.stderr.split())


def test_a_setting_that_is_not_understood_is_told_once() -> None:
    command = [sys.executable, "-m", "cudasmith", "ops", "--json"]
    env = {**os.environ, "MAX_JOBS": "many"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0 and json.loads(done.stdout)
    assert done.stderr.count("warning: MAX_JOBS='many'") == 1
