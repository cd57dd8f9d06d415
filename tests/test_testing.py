"""The pytest plugin cudasmith.testing, in a pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SUBJECTS = Path(__file__).parent / "data" / "emulate" / "subjects.py"
TEXT = SUBJECTS.read_text()
SOURCES = TEXT[: TEXT.index("ext = load_inline(")]
HEAD = (
    SOURCES
    + """
import pytest


def load():
    return load_inline(name="subjects", cpp_sources=CPP, cuda_sources=CUDA, functions=FUNCTIONS)

"""
)


def run(folder: Path, tests: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text('pytest_plugins = ["cudasmith.testing"]\n')
    (folder / "test_it.py").write_text(HEAD + tests)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "test_it.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_kernels_run_and_their_launches_are_seen(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
def test_scale(cuda_emulator):
    x = torch.rand(50, device="cuda")
    y = load().scale(x, 2.0)
    assert torch.equal(y, 2 * x) and y.is_cuda
    assert [(one.kernel, one.grid) for one in cuda_emulator.launches()] == [("scale_kernel", (1, 1, 1))]
    assert cuda_emulator.coverage().unchecked == ()

@pytest.mark.cuda_emulator(mode="fast", target="t4")
def test_the_marker_alone_is_enough():
    assert torch.cuda.get_device_name() == "Tesla T4"
    load().sums_unwritten(torch.rand(8, device='cuda'))  # nothing is found in fast mode

def test_without_it_nothing_is_emulated():
    assert not torch.cuda.is_available() or "Tesla T4" not in torch.cuda.get_device_name()
""",
    )
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


def test_a_finding_fails_the_test_at_its_line(tmp_path: Path) -> None:
    done = run(
        tmp_path, "def test_racy(cuda_emulator):\n    load().reversed_racy(torch.rand(50, device='cuda'))\n"
    )
    number = next(n for n, text in enumerate(HEAD.splitlines(), 1) if "// race" in text)
    assert done.returncode == 1 and "1 failed" in done.stdout and "error" not in done.stdout.splitlines()[-1]
    assert "error[EM203] race on byte" in done.stdout and f"test_it.py:{number}:" in done.stdout
    assert "note: the other access: line" in done.stdout


def test_a_fault_that_the_test_raises_comes_with_its_line(tmp_path: Path) -> None:
    done = run(
        tmp_path, "def test_beyond(cuda_emulator):\n    load().beyond(torch.rand(50, device='cuda'))\n"
    )
    number = next(n for n, text in enumerate(HEAD.splitlines(), 1) if "// beyond" in text)
    assert done.returncode == 1 and "1 failed" in done.stdout
    assert "found by the CUDA emulator" in done.stdout and f"test_it.py:{number}:" in done.stdout


def test_expected_findings_do_not_fail_the_test(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
def test_racy(cuda_emulator):
    load().sums_unwritten(torch.rand(50, device='cuda'))
    assert [one.name for one in cuda_emulator.expect_findings()] == ["uninitialised shared memory"]
""",
    )
    assert done.returncode == 0, done.stdout


def test_expected_findings_that_do_not_come_fail_the_test(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
def test_clean(cuda_emulator):
    cuda_emulator.expect_findings()
    load().scale(torch.rand(50, device='cuda'), 2.0)

def test_later(cuda_emulator):
    cuda_emulator.expect_findings()
    load().sums_unwritten(torch.rand(50, device='cuda'))
""",
    )
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout
    assert "has found nothing" in done.stdout


@pytest.mark.parametrize(
    ("marker", "words"), [("order='random', sed=1", "'sed'"), ("target='h300'", "'h300' is not known")]
)
def test_a_wrong_marker_says_what_is_known(tmp_path: Path, marker: str, words: str) -> None:
    done = run(tmp_path, f"@pytest.mark.cuda_emulator({marker})\ndef test_it(cuda_emulator):\n    pass\n")
    assert done.returncode != 0 and words in done.stdout and "h200" in done.stdout


def test_the_package_itself_does_not_need_pytest() -> None:
    text = "import sys; sys.modules['pytest'] = None; import cudasmith, cudasmith.cli.emulate, cudasmith.stages.emulate"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


ISOLATED = """
import ctypes, os, time
import pytest

@pytest.fixture(scope="module")
def log():
    made = []
    yield made
    print("torn down", len(made))

def test_before(log):
    log.append(1)

@pytest.mark.cudasmith_isolate
def test_crash(log):
    print("nearly there")
    ctypes.string_at(0)

@pytest.mark.cudasmith_isolate()
def test_exit():
    os._exit(3)

@pytest.mark.cudasmith_isolate(timeout=0.3)
def test_endless():
    while True:
        time.sleep(0.01)

@pytest.mark.cudasmith_isolate(timeout=60)
@pytest.mark.parametrize("right", [True, False])
def test_ends(log, right, tmp_path):
    log.append(2)
    print("as ever")
    assert right and tmp_path.is_dir()

def test_after(log):
    assert log == [1]
"""


@pytest.mark.parametrize("options", [[], ["-n", "1"]])
def test_an_isolated_test_that_dies_fails_alone(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "test_it.py").write_text(ISOLATED)
    own = ["-p", "cudasmith.testing", "-p", "no:cacheprovider", "--strict-markers", *options]
    command = [sys.executable, "-m", "pytest", *own, "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "4 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "test_crash: the test's process crashed: Segmentation fault (signal 11)" in done.stdout
    assert "nearly there" in done.stdout and "line 17 in test_crash" in done.stdout
    assert "test_exit: the test's process exited with code 3 before the test was done" in done.stdout
    assert "test_endless: the test was not done after 0.3 s, and was ended" in done.stdout
    assert "line 26 in test_endless" in done.stdout and "as ever" in done.stdout


CRASHING = """
def test_scale_before(cuda_emulator):
    x = torch.rand(50, device="cuda")
    assert torch.equal(load().scale(x, 2.0), 2 * x)

def test_segfault(cuda_emulator):
    load().null_write(torch.rand(50, device="cuda"))

def test_scale_after(cuda_emulator):
    x = torch.rand(50, device="cuda")
    assert torch.equal(load().scale(x, 3.0), 3 * x)

@pytest.mark.cuda_emulator(mode="fast")
def test_the_marker_alone():
    load().null_write(torch.rand(50, device="cuda"))

def test_without_the_emulator_is_not_isolated():
    import os
    assert os.getppid() == PARENT
"""


@pytest.mark.parametrize("options", [[], ["-n", "2"]])
def test_the_option_isolates_all_tests_of_the_emulator(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["cudasmith.testing"]\n')
    parent = "import os\nPARENT = os.getppid()\n"  # of the pytest that collects; a forked test has another
    (tmp_path / "test_it.py").write_text(HEAD + parent + CRASHING)
    own = ["-p", "no:cacheprovider", "--strict-markers", "--cudasmith-isolate", *options]
    command = [sys.executable, "-m", "pytest", *own, "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "2 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    for name in ("test_segfault", "test_the_marker_alone"):
        assert f"{name}: the test's process crashed: Segmentation fault (signal 11)" in done.stdout
    assert "worker 'gw" not in done.stdout  # no process of xdist went with them


def test_a_module_that_an_earlier_test_has_loaded_has_its_lines(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
kept = []

@pytest.mark.parametrize("i", [0, 1])
def test_racy(cuda_emulator, i):
    kept or kept.append(load())
    kept[0].reversed_racy(torch.rand(50, device="cuda"))
""",
    )
    assert "2 failed" in done.stdout and done.stdout.count("// race") >= 2, done.stdout
    assert "of the CUDA text" not in done.stdout and "kernel reversed" not in done.stdout.split("-->")[2]


@pytest.mark.parametrize("option", ['mode="slow"', 'order="backwards"', 'target="h100"'])
def test_an_option_of_no_known_value_is_an_error(tmp_path: Path, option: str) -> None:
    done = run(tmp_path, f"@pytest.mark.cuda_emulator({option})\ndef test_it():\n    pass\n")
    value = option.split('"')[1]
    assert done.returncode == 1 and "1 error" in done.stdout and f"'{value}' is not known: " in done.stdout
