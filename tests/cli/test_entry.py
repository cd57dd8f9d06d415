"""The ways to start the command line."""

from __future__ import annotations

import subprocess
import sys

from cudasmith import __version__


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "cudasmith", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"cudasmith, version {__version__}\n")
