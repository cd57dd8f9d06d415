"""`cudasmith build` with several files: side by side, told in their order, the worst exit code."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import cudasmith
from cudasmith.cli.build import arches
from cudasmith.gpu.fast import FastBuild
from cudasmith.gpu.fast.phases import Phases, working
from cudasmith.gpu.fast.warnings import warnings
from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.hostapi.torch_files import torch_files
from cudasmith.model import BuildStatus, Candidate, CudasmithError, Finding
from cudasmith.model.jsonio import dumps
from cudasmith.report.build_text import render_build, render_warnings
from cudasmith.source.foreign import is_cuda_text
from cudasmith.stages._build.crew import side_by_side
from cudasmith.stages._build.entry import Request, build_here
from cudasmith.stages.build import BuildOptions, BuildReport, _environment, _outcome, build, build_all
from cudasmith.stages.diagnose import diagnose
from cudasmith.store import slots
from cudasmith.workers import WorkerResult, WorkerStatus
from cudasmith.workers.command import run_command
from cudasmith.workers.result import Frame

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc was found")
COMMAND = [sys.executable, "-m", "cudasmith", "build"]
LOAD = "from torch.utils.cpp_extension import load_inline\n"


def call(name: str, body: str) -> str:
    text = f"int64_t {name}() {{ {body} }}"
    return f'load_inline(name="{name}", cpp_sources="{text}", functions=["{name}"])\n'


def file(folder: Path, name: str, *calls: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(LOAD + "".join(calls))
    return str(path)


@pytest.fixture
def four(tmp_path: Path) -> list[str]:
    """A file with two calls, one that does not compile, one with nothing to build, a good one."""
    new = time.time_ns()
    return [
        file(tmp_path, "two", call("a", "return 1;"), call("b", f"return 2; /* {new} */")),
        file(tmp_path, "wrong", call("c", "return 1")),
        file(tmp_path, "nothing"),
        file(tmp_path, "good", call("d", "return 4;")),
    ]


def test_json_has_one_form_and_the_files_order(four: list[str]) -> None:
    done = subprocess.run([*COMMAND, "--json", *four], capture_output=True, text=True, check=False)
    files = json.loads(done.stdout)["files"]
    assert [f["path"] for f in files] == four
    statuses = [[b["status"] for b in f["builds"]] for f in files]
    assert statuses == [["OK", "OK"], ["COMPILE_ERROR"], [], ["OK"]]
    assert files[1]["findings"] and files[2]["error"]["code"] == "CSB021" and files[3]["error"] is None
    assert done.returncode == 2 and "error[CSB021]" in done.stderr


def test_the_exit_code_is_the_worst(four: list[str]) -> None:
    two, wrong, _, good = four
    codes = [
        subprocess.run([*COMMAND, *files], capture_output=True, check=False).returncode
        for files in ([two, good], [two, wrong, good])
    ]
    assert codes == [0, 1]


def test_files_that_cannot_be_read_leave_the_others_answers(four: list[str], tmp_path: Path) -> None:
    """Missing, binary, empty, no Python: each is told, in its place."""
    bad = {"missing": None, "binary": b"\x80\x81", "empty": b"", "syntax": b"def f(:"}
    for name, data in bad.items():
        if data is not None:
            (tmp_path / f"{name}.py").write_bytes(data)
    named = [four[0], *(str(tmp_path / f"{name}.py") for name in bad), four[3]]
    done = subprocess.run([*COMMAND, "--json", *named], capture_output=True, text=True, check=False)
    files = json.loads(done.stdout)["files"]
    assert [f["path"] for f in files] == named
    codes = [f["error"] and f["error"]["code"] for f in files]
    assert codes == [None, "CSP001", "CSP004", "CSP003", "CSB020", None]
    assert [b["status"] for f in files for b in f["builds"]] == ["OK", "OK", "OK"]
    assert done.returncode == 3 and all(f"error[{code}]" in done.stderr for code in codes if code)


def documented(section: str) -> set[str]:
    """The keys of a table of docs/report-schema.md."""
    text = (Path(__file__).parents[2] / "docs" / "report-schema.md").read_text()
    body = text.partition(f"## `{section}`")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([\w.\[\]]+)` \|", body, re.MULTILINE))


def test_the_json_of_a_build_is_as_documented(four: list[str]) -> None:
    done = subprocess.run([*COMMAND, "--json", *four], capture_output=True, text=True, check=False)
    files = json.loads(done.stdout)["files"]
    lists = {"builds", "findings", "warnings", "kernels"}
    found = {f"{k}[]" if k in lists else k for f in files for k in f}
    found |= {
        f"builds[].{k}[]" if k in lists else f"builds[].{k}" for f in files for b in f["builds"] for k in b
    }
    assert found == documented("cudasmith build --json")


def test_one_files_error_leaves_the_others_answers() -> None:
    good, nothing = Candidate(LOAD + call("d", "return 4;"), "good.py"), Candidate("x = 1\n", "nothing.py")
    first, second = build_all([nothing, good], BuildOptions())
    assert "nothing to build" in str(first) and isinstance(second, BuildReport)
    assert [b.status for b in second.builds] == [BuildStatus.OK]


def test_waiting_for_another_builds_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))  # builds of other tests run meanwhile
    monkeypatch.setenv("MAX_JOBS", "1")
    told: list[str] = []

    def one_at_a_time(say):
        with slots.slot(1, say):
            time.sleep(0.5)

    monkeypatch.setattr("cudasmith.stages._build.crew.most_at_once", lambda: 2)
    assert list(side_by_side([("a.py", one_at_a_time), ("b.py", one_at_a_time)], told.append)) == [None, None]
    waiting = [text for text in told if "waiting" in text]
    assert len(waiting) == 1 and waiting[0].endswith(".py: waiting for a core: 1 other build runs")
    assert told[-1] == "2 of 2 done"


def test_what_a_job_raises_ends_those_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudasmith.stages._build.crew.most_at_once", lambda: 2)

    def waits(say):
        while True:
            say("waiting")
            time.sleep(0.01)

    def fails(say):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(side_by_side([("fails", fails), ("waits", waits), ("never", waits)], lambda text: None))


def test_the_first_answer_is_there_before_the_last_build_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudasmith.stages._build.crew.most_at_once", lambda: 2)
    told = threading.Event()

    def waits(say):
        assert told.wait(60)
        return "second"

    answers = side_by_side([("a.py", lambda say: "first"), ("b.py", waits)], lambda text: None)
    assert next(answers) == "first"
    told.set()
    assert list(answers) == ["second"]


def test_a_cache_that_cannot_be_written_is_told_by_the_emulators_builds_too(tmp_path: Path) -> None:
    name = file(tmp_path, "new", call("new", f"return {time.time_ns()};"))
    done = subprocess.run(
        [*COMMAND, "--executor", "emulator", name],
        env={**os.environ, "CUDASMITH_CACHE": "/proc/nope"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4 and "error[CSB010]: the cache cannot be used" in done.stderr


def test_a_signal_ends_all_builds_of_a_command(tmp_path: Path) -> None:
    new = time.time_ns()
    names = [file(tmp_path, f"f{n}", call(f"f{n}", f"return {n}; /* {new} */")) for n in range(6)]
    process = subprocess.Popen([*COMMAND, *names], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 20
    started: list[psutil.Process] = []
    while len(started) < 3 and time.monotonic() < end:  # the watchdog, a compiler, its own child
        started = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 143 and "stopped by SIGTERM" in said
    _, alive = psutil.wait_procs(started, timeout=5)
    assert alive == []


def test_the_bound_is_torchs_own_variable_or_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_JOBS", "3")
    assert slots.most_at_once() == 3
    monkeypatch.setenv("MAX_JOBS", "many")
    assert slots.most_at_once() == len(os.sched_getaffinity(0))


def test_a_file_that_has_to_be_run_is_run_where_it_lies(tmp_path: Path) -> None:
    """What it reads and imports beside itself is there; nothing is written there, not into its build_directory either."""
    (tmp_path / "sources.py").write_text("NAME = 'f.cpp'\n")
    (tmp_path / "f.cpp").write_text("int64_t f() { return 1; }")
    path = tmp_path / "runs.py"
    path.write_text(
        LOAD + "import os, sys, sources\nhere = os.path.dirname(os.path.abspath(__file__))\n"
        "assert sys.path[0] == here and os.path.basename(__file__) == 'runs.py'\n"
        "text = open(os.path.join(here, sources.NAME)).read()\n"
        'load_inline(name="runs", cpp_sources=text, functions=["f"], build_directory=here)\n'
    )
    before = sorted(tmp_path.iterdir())
    command = [*COMMAND, "--executor", "emulator", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [b["status"] for b in json.loads(done.stdout)["files"][0]["builds"]] == ["OK"], done.stdout
    assert sorted(tmp_path.iterdir()) == before


def test_torchs_own_build_in_a_folder_that_the_file_names_writes_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch.utils.cpp_extension as cpp_extension

    for name in ("path", "argv", "dont_write_bytecode"):  # the worker's own, else
        value = getattr(sys, name)
        monkeypatch.setattr(sys, name, list(value) if isinstance(value, list) else value)
    asked: list[object] = []
    monkeypatch.setattr(cpp_extension, "load_inline", lambda **given: asked.append(given["build_directory"]))
    text = LOAD + f'load_inline(name="x", cpp_sources="", build_directory={str(tmp_path)!r})\n'
    found = build_here(dumps(Request("gpu", (), text, "", str(tmp_path))).encode(), lambda event: None)
    assert found["status"] == "OK" and asked == [None]


@pytest.mark.skipif(bool(torch_files() and torch_files().cuda), reason="this torch has CUDA")  # type: ignore[union-attr]
@pytest.mark.parametrize("known", [True, False])
def test_a_torch_without_cuda_is_told_as_that_and_not_as_a_missing_cuda_home(
    known: bool, tmp_path: Path
) -> None:
    text = '"__global__ void k() {}"' if known else "open(__file__).read()"
    path = tmp_path / "cuda.py"
    path.write_text(LOAD + f'load_inline(name="x", cpp_sources="", cuda_sources={text})\n')
    command = [*COMMAND, "--builder", "torch", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    error = json.loads(done.stdout)["files"][0]["error"]
    assert done.returncode == 4 and "was built without CUDA" in error["message"]
    assert "--builder fast" in error["help"] and "install a torch built for CUDA" in error["help"]


@pytest.mark.parametrize(
    ("body", "more", "code", "place"),
    [
        ("return q;", "", "DG215", (3, 22)),
        ("int a = 1;\n  return a", "", "DG201", (4, 10)),
        ("return g(1);", "int64_t g(int a);", "DG401", (2, 16)),
    ],
)
def test_what_the_emulator_refuses_stands_at_its_line_and_in_the_words_of_torchs_build(
    body: str, more: str, code: str, place: tuple[int, int]
) -> None:
    text = LOAD + f'A = """{more}\nint64_t f() {{ {body}\n}}\n"""\n'
    text += 'load_inline(name="one", cpp_sources=A, functions=["f"])\n'
    (report,) = build_all([Candidate(text, "one.py")], BuildOptions(executor="emulator"))
    assert isinstance(report, BuildReport)
    assert [f.code for f in report.findings] == [code]
    assert "mulator" not in report.builds[0].log
    span = report.findings[0].span
    assert span is not None and (span.line, span.column) == place


@pytest.mark.parametrize(("type", "own"), [("float*", True), ("struct Own { int a; };", False)])
def test_what_the_light_headers_cannot_bind_is_told_without_how_they_are_made(type: str, own: bool) -> None:
    """At the function that is bound, with torch's own build as the way around."""
    before, argument = ("", type) if own else (type, "Own")
    text = LOAD + f'A = """\n{before}\nint64_t f({argument} x) {{ return 1; }}\n"""\n'
    text += 'load_inline(name="one", cpp_sources=A, functions=["f"])\n'
    report = build(Candidate(text, "one.py"), BuildOptions(fall_back=False))
    (finding,) = report.findings
    assert finding.message == f"the light headers do not hand a {argument} to Python or take one"
    assert finding.span is not None and finding.span.line == 4 and "--builder torch" in str(finding.help)
    assert ("torch::Tensor" in str(finding.help)) is own
    page = str(report.findings) + report.builds[0].log + report.builds[0].route
    assert "csm" not in page and "binding.h" not in page


@pytest.mark.parametrize("names", [("one", "other"), ("same", "same"), ("mine_v1", "mine_v2")])
def test_of_several_modules_each_failure_has_its_line_and_its_module(names: tuple[str, str]) -> None:
    text = LOAD + (
        'A = """\nint64_t f() { return 1 }\n"""\nB = """\n\nint64_t g() { return q; }\n"""\n'
        f'load_inline(name="{names[0]}", cpp_sources=A, functions=["f"])\n'
        f'load_inline(name="{names[1]}", cpp_sources=B, functions=["g"])\n'
    )
    (report,) = build_all([Candidate(text, "two.py")], BuildOptions())
    assert isinstance(report, BuildReport) and tuple(b.module for b in report.builds) == names
    placed = [(f.code, f.span.line if f.span else None) for f in report.findings]
    assert placed == [("DG201", 3), ("DG215", 7)]
    for finding, name in zip(report.findings, names, strict=True):
        assert f"of the module {name!r}" in finding.notes
    heads = [render_build(b, "two.py", lambda k, n: None, named=True) for b in report.builds]
    assert all(
        head.startswith(f"two.py: module {name!r} does not compile")
        for head, name in zip(heads, names, strict=True)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "sm_9",
        "compute_9",
        "90",
        "sm_90,,sm_80",
        "sm_90,",
        pytest.param("sm_999", marks=needs_nvcc),
        pytest.param("sm_75a", marks=needs_nvcc),
        pytest.param("sm_90f", marks=needs_nvcc),
        "SM_90",
        "sm_90;sm_80",
    ],
)
def test_what_is_no_architecture_is_wrong_usage(wrong: str) -> None:
    with pytest.raises(CudasmithError) as caught:
        arches(wrong)
    assert caught.value.exit_code == 2 and "sm_90" in str(caught.value.help)


def test_architectures_are_taken_once_and_with_their_variants() -> None:
    assert arches("sm_90a, sm_80,sm_80") == ("sm_90a", "sm_80")


def test_architectures_may_be_written_as_torch_and_nvcc_write_them() -> None:
    assert arches("8.0,9.0a,compute_90,10.0") == ("sm_80", "sm_90a", "sm_90", "sm_100")


def test_torchs_own_build_is_asked_for_the_same_architectures(tmp_path: Path) -> None:
    asked = _environment(BuildOptions(("sm_90a", "sm_100", "sm_75")), tmp_path)["TORCH_CUDA_ARCH_LIST"]
    assert asked == "9.0a;10.0;7.5"


def test_the_line_that_loads_a_module_works_as_it_is_printed(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, file(tmp_path, "five", call("five", "return 5;"))], capture_output=True, text=True
    )
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("  in Python: "))
    code = line.partition(": ")[2] + "; print(m.__name__, m.five())"
    used = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert used.stdout == "five 5\n", used.stderr


def test_a_file_that_is_no_built_module_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.so", Path(__file__)):
        with pytest.raises(CudasmithError, match="this module cannot be loaded"):
            cudasmith.load(path)


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"timeout_s": 0.02}, "host code of main.cpp was not done after 0.02 s"),
        ({"memory_bytes": 1}, "GB of memory and was ended"),
    ],
)
def test_a_limit_that_is_reached_is_told_with_its_step(limits: dict[str, Any], says: str) -> None:
    """However small: no build is so quick, or needs so little."""
    text = LOAD + call("limited", f"return 1; /* {time.time_ns()} */")
    report = build(Candidate(text, "limited.py"), BuildOptions(**limits))
    (finding,) = report.findings
    assert finding.code == "DG712" and says in finding.message
    timed = "timeout_s" in limits
    assert report.builds[0].status is (BuildStatus.TIMEOUT if timed else BuildStatus.CRASHED)
    assert ("--timeout" in str(finding.help)) is timed


@pytest.mark.parametrize(
    ("functions", "entered", "says", "line"),
    [
        (["build_here", "<module>"], True, "the file itself was not done after 7 s", 3),
        (["build_here", "<module>", "load_inline", "wait"], True, "load_inline was not done after 7 s", 3),
        (["build_here", "import_torch"], True, "the preparation of the build was not done after 7 s", None),
        ([], False, "the start of Python and torch was not done after 120 s", None),
    ],
)
def test_a_worker_that_takes_too_long_is_told_with_what_it_did(
    functions: list[str], entered: bool, says: str, line: int | None
) -> None:
    stack = tuple(Frame("/a/own.py" if f == "<module>" else "/lib/other.py", 3, f) for f in functions)
    result = WorkerResult(WorkerStatus.TIMEOUT, stack=stack, entered=entered)
    _, log, _ = _outcome(result, BuildOptions(timeout_s=7), "/a/own.py")
    (finding,) = diagnose(log, Candidate("a\nb\nc\n", "own.py"))
    assert finding.message == says and "--timeout" in str(finding.help)
    assert (finding.span and finding.span.line) == line


def test_after_a_stop_the_half_that_was_at_work_is_known(tmp_path: Path) -> None:
    assert working(tmp_path) == "device and host code"
    phases = Phases((), "id", ("true",), ("sleep 100",), ())
    (tmp_path / "run.sh").write_text(phases.script("x"))
    done = run_command(["sh", "run.sh"], cwd=tmp_path, timeout_s=0.5, memory_bytes=1 << 30)
    assert done.returncode is None and working(tmp_path) == "device code"


def test_what_compilers_warn_of_is_told_at_the_line_of_its_module_and_changes_no_exit_code(
    tmp_path: Path,
) -> None:
    """Also from the cache."""
    text = LOAD + (
        'A = """\nint64_t f() {\n  char c = 1000; return c; }\n"""\nload_inline(name="f", cpp_sources=A, functions=["f"])\n'
        'B = """\nint64_t g() {\n  return 1 << 40; }\n"""\nload_inline(name="g", cpp_sources=B, functions=["g"])\n'
    )
    (tmp_path / "warns.py").write_text(text)
    for _ in range(2):
        done = subprocess.run(
            [*COMMAND, "--json", str(tmp_path / "warns.py")], capture_output=True, text=True
        )
        (page,) = json.loads(done.stdout)["files"]
        assert done.returncode == 0 and page["findings"] == []
        assert [(w["line"], w["severity"], w["notes"]) for w in page["warnings"]] == [
            (4, "warning", ["of the module 'f'"]),
            (9, "warning", ["of the module 'g'"]),
        ]
        assert "overflow" in page["warnings"][0]["message"] and "-Wno-overflow" in page["warnings"][0]["help"]
    shown = subprocess.run([*COMMAND, str(tmp_path / "warns.py")], capture_output=True, text=True).stdout
    assert shown.count("warning[") == 2


def test_of_many_warnings_the_first_are_shown() -> None:
    found = [Finding("CSB030", "warning", f"number {n}") for n in range(13)]
    shown = render_warnings(found, Candidate("", "many.py"), colour=False)
    assert "number 9" in shown and "number 10" not in shown and "3 more warnings" in shown


def test_warnings_of_nvcc_are_told_once_and_those_of_headers_not() -> None:
    twice = "cuda.cu(8): warning #63-D: shift count is too large\n    n = n << 40;\n"
    log = f"{twice}/usr/include/thing.h(3): warning #1-D: not yours\n{twice}ptxas warning : Stack size\nptxas info : 0 bytes"
    assert warnings(log) == (
        "cuda.cu(8): warning #63-D: shift count is too large",
        "ptxas warning : Stack size",
    )


def test_a_file_that_fails_before_its_build_stands_at_its_line_and_is_not_called_built() -> None:
    """By a pipe too; and no keyword of load_inline is without its line."""
    for body in (
        "load_inline(name='x', cpp_sources=text)",
        "load_inline(cpp_sources='')",
        "load_inline('x', '', cuda='')",
    ):
        command = [*COMMAND, "--executor", "emulator", "-"]
        text = LOAD + "\n" + body
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "<stdin>:3:1" in done.stdout, done.stdout
        called = "text" not in body
        assert (
            "<stdin>: does not compile" if called else "was not built: the file fails first"
        ) in done.stdout


@pytest.mark.skipif(bool(torch_files() and torch_files().cuda), reason="this torch has CUDA")  # type: ignore[union-attr]
def test_a_file_that_only_torch_could_build_is_refused_before_anything_is_announced() -> None:
    """The reason is one that writing the call out would not mend."""
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        'load_inline("m", "", "__global__ void k() {}", functions=["f"], is_python_module=False)\n'
    )
    said: list[str] = []
    with pytest.raises(CudasmithError) as caught:
        build(Candidate(text, "m.py"), BuildOptions(), said.append)
    assert caught.value.code == "CSB023" and said == []
    assert "cannot serve this file: load_inline is given is_python_module" in str(caught.value.help)


def test_a_library_header_that_this_machine_lacks_is_no_fault_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = "cuda.cu:5:10: fatal error: cublas_v2.h: No such file or directory\n"
    failed = FastBuild(BuildStatus.COMPILE_ERROR, log, 1.0)
    monkeypatch.setattr("cudasmith.stages.build.build_fast", lambda *_, **__: failed)
    report = build(Candidate(LOAD + 'load_inline(name="m", cpp_sources="")', "m.py"), BuildOptions())
    assert report.findings[0].code == "DG221" and report.builds[0].status is BuildStatus.NO_TOOLCHAIN


# A module of Python's own headers alone: torch's own build of it takes a second.
RAW = r"""
#include <Python.h>
static int seven() { int unused; return 7; }
static PyObject* f(PyObject*, PyObject*) { return PyLong_FromLong(seven()); }
static PyMethodDef methods[] = {{"f", f, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "", "", -1, methods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC ENTRY(void) { return PyModule_Create(&module); }
"""


def raw(name: str, text: str = "SRC", more: str = "") -> str:
    return (
        f'load_inline(name="{name}", cpp_sources={text}.replace("ENTRY", "PyInit_{name}"), functions=None,'
        f' extra_cflags=["-Wall"], no_implicit_headers=True{more})\n'
    )


def of_torch(folder: Path, *calls: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]], Path]:
    """Builds and warnings of one file by torch's own route."""
    path = folder / "raw.py"
    path.write_text(LOAD + f'SRC = r"""{RAW}"""\n' + "".join(calls))
    command = [*COMMAND, "--builder", "torch", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (page,) = json.loads(done.stdout)["files"]
    assert page["error"] is None, page
    return page["builds"], page["warnings"], path


def value_of(library: str) -> str:
    code = f"import cudasmith; m = cudasmith.load({library!r}); print(m.__name__, m.f())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_torchs_own_modules_are_kept_warned_of_and_loaded_as_the_fast_ones(
    tmp_path: Path, own_cache: Path
) -> None:
    builds, warnings, path = of_torch(tmp_path, raw("first"), raw("second"))
    assert [(b["module"], b["status"], b["cached"]) for b in builds] == [
        ("first", "OK", False),
        ("second", "OK", False),
    ], builds
    assert [value_of(b["library"]) for b in builds] == ["first 7\n", "second 7\n"]
    line = next(i for i, row in enumerate(path.read_text().splitlines(), 1) if "unused" in row)
    assert {(w["message"], w["line"]) for w in warnings} == {("unused variable ‘unused’", line)}
    again, warned_again, _ = of_torch(tmp_path, raw("first"), raw("second"))
    assert [b["cached"] for b in again] == [True, True] and warned_again == warnings
    assert [b["library"] for b in again] == [b["library"] for b in builds]


def test_modules_of_a_file_that_is_run_are_kept_each(tmp_path: Path, own_cache: Path) -> None:
    builds, warnings, _ = of_torch(
        tmp_path, "import json\nSRC = json.loads(json.dumps(SRC))\n", raw("first"), raw("second")
    )
    assert [(b["module"], b["status"]) for b in builds] == [("first", "OK"), ("second", "OK")]
    assert [value_of(b["library"]) for b in builds] == ["first 7\n", "second 7\n"]
    assert len(warnings) == 2


def test_a_failure_of_torchs_own_build_has_its_line_and_leaves_no_entry(
    tmp_path: Path, own_cache: Path
) -> None:
    wrong = 'SRC.replace("return 7;", "return 7")'
    builds, _, path = of_torch(tmp_path, raw("first", wrong))
    assert [(b["status"], b["library"]) for b in builds] == [("COMPILE_ERROR", "")]
    assert not list((own_cache / "modules").glob("*/entry.json"))
    (finding, *_) = diagnose(builds[0]["log"], Candidate(path.read_text(), str(path)))
    assert finding.code == "DG201", builds[0]["log"]
    missing = 'SRC.replace("static int seven() {", "int eight(); static int seven() { return eight(); ")'
    builds, _, _ = of_torch(tmp_path, raw("first", missing, ', extra_ldflags=["-lnonesuch"]'))
    assert [b["status"] for b in builds] == ["LINK_ERROR"]


def test_a_module_of_another_torch_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "module.so").write_bytes(b"\0PyInit_x\0")
    (tmp_path / "torch.version").write_text("1.0")
    with pytest.raises(CudasmithError, match=r"built for torch 1\.0"):
        cudasmith.load(tmp_path / "module.so")


def test_both_executors_say_the_same_of_a_symbol_that_is_nowhere() -> None:
    text = LOAD + 'load_inline(name="x", cpp_sources="int64_t f(int a);", functions=["f"])\n'
    for executor in ("gpu", "emulator"):
        report = build(Candidate(text), BuildOptions(executor=executor))
        assert [b.status for b in report.builds] == [BuildStatus.IMPORT_ERROR], executor


def test_preparations_of_the_emulator_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cudasmith import emulator
    from cudasmith.emulator import toolchain

    def prepared(**options: Any) -> contextlib.AbstractContextManager[None]:
        toolchain._announce("preparing the headers")
        return contextlib.nullcontext()

    monkeypatch.setattr(emulator, "installed", prepared)
    events: list[dict[str, Any]] = []
    build_here(dumps(Request("emulator", (), "", "", str(tmp_path))).encode(), events.append)
    assert events == [{"preparing": "preparing the headers"}]


def test_preparations_of_a_builds_process_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def worker(*args: Any, on_event: Any, **limits: Any) -> WorkerResult:
        on_event({"preparing": "preparing the headers"})
        raise CudasmithError("CSB000", "enough")

    monkeypatch.setattr("cudasmith.stages.build.run_worker", worker)
    said: list[str] = []
    candidate = Candidate(LOAD + call("a", "return 1;"), str(tmp_path / "a.py"))
    with pytest.raises(CudasmithError, match="enough"):
        build(candidate, BuildOptions(executor="emulator"), said.append)
    assert said[-1] == "preparing the headers"


CUDA_TEXTS = (
    ("k.cu", "__global__ void k(float* x) { x[0] = 1; }\n"),
    ("k.CUH", "int f() { return 1; }\n"),
    ("k.py", "// a kernel\n#include <torch/extension.h>\nvoid f() {}\n"),
    ("k.py", "/* a\n   kernel */\n#pragma once\ntemplate <typename T>\n__global__ void k(T* x) {}\n"),
)


@pytest.mark.parametrize(("name", "text"), CUDA_TEXTS)
@pytest.mark.parametrize("verb", ["build", "check", "emulate"])
def test_cuda_text_in_a_python_files_place_is_told(
    verb: str, name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cudasmith.cli.main import cli

    (tmp_path / name).write_text(text)
    try:
        code = cli.main([verb, str(tmp_path / name)], standalone_mode=False)
    except CudasmithError as error:  # what is the only file
        code, told = error.exit_code, f"{error.code} {error.help}"
    else:
        told = capsys.readouterr().err
    assert code == 2 and "CSP017" in told and f'open("{name}").read()' in told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("k.cu", "x = 1\n"),
        ("k.py", "#include <this is a comment>\nx = 1\n"),
        ("k.py", "x = (\n"),
        ("k.py", "Here is the code:\n```\n#include <a.h>\n```\n"),
    ],
)
def test_python_and_broken_python_are_no_cuda_text(name: str, text: str) -> None:
    assert not is_cuda_text(text, name)


def test_a_file_that_builds_from_files_is_torchs_to_build() -> None:
    text = "import torch\nfrom torch.utils.cpp_extension import load\nm = load(name='m', sources=['a.cpp', 'k.cu'])\n"
    with pytest.raises(CudasmithError, match=r"cpp_extension\.load, from files") as caught:
        build(Candidate(text, "m.py"), BuildOptions())
    assert (caught.value.exit_code, caught.value.where) == (2, "m.py:3")
