"""A pytest plugin: tests whose CUDA extensions are built for and run on the CPU, every access checked.

    pytest_plugins = ["cudasmith.testing"]  # in conftest.py

    @pytest.mark.cuda_emulator(order="random", seed=1)
    def test_my_kernel(cuda_emulator):
        ext = load_inline(...)  # g++, no GPU
        out = ext.scale(torch.rand(50, device="cuda"), 2.0)
        assert cuda_emulator.launches()[0].kernel == "scale_kernel"

A test fails when checked mode finds anything while it runs, at the line of the Python file. The marker takes the arguments
of `cudasmith.emulator.installed`; without it the mode is "checked". Call load_inline in the test, in a function or in a
fixture that uses `cuda_emulator`: what a module loads when it is imported is built before the test begins.

`@pytest.mark.cudasmith_isolate(timeout=60)` runs a test in a forked copy of pytest, so that a crash of host code, an exit
or an endless loop fails this test, with its diagnosis, and the others go on; `--cudasmith-isolate` does so with all tests
that use `cuda_emulator`. Fixtures of modules and sessions that an isolated test makes are its own, and not torn down.
"""

from __future__ import annotations

import contextlib
import inspect
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import attrs
import pytest

if TYPE_CHECKING:
    from cudasmith.emulator import Coverage, Detected, Launch
    from cudasmith.stages.emulated_place import Loaded
    from cudasmith.workers.forked import Ended

NAME = "cuda_emulator"
ISOLATE = "cudasmith_isolate"
LIMIT_S = 600.0  # of an isolated test
_USE = f'pytest.mark.{NAME}(mode="checked", order="forward", seed=0, target="h200")'


@attrs.define
class CudaEmulator:
    """What the fixture `cuda_emulator` gives: what happened on the emulated device since the test began."""

    checked: bool
    loaded: list[Loaded] = attrs.field(repr=False)
    earlier: list[Loaded] = attrs.field(repr=False)  # in other tests, which may have kept the module
    expected: bool = False

    def launches(self) -> list[Launch]:
        """Every kernel launch, in order."""
        from cudasmith import emulator

        return emulator.launches()

    def detected(self) -> list[Detected]:
        """What checked mode has found so far."""
        from cudasmith import emulator

        return emulator.detected()

    def coverage(self) -> Coverage:
        """What checked mode could not vouch for."""
        from cudasmith import emulator

        return emulator.coverage()

    def check_outputs(self, *tensors: Any) -> None:
        """Has elements told that nobody has written."""
        from cudasmith import emulator

        emulator.check_outputs(tensors)

    def expect_findings(self) -> list[Detected]:
        """What was found, for a test of a faulty kernel: it no longer fails the test, but its absence at the end does."""
        self.expected = True
        return self.detected()

    def report(self) -> str:
        """Why the test fails: findings at the lines of the Python file that called load_inline, or none where some are expected."""
        from cudasmith.report.findings_text import render_finding

        if not self.checked:
            return ""
        if self.expected:
            return "" if self.detected() else "expect_findings(): the CUDA emulator has found nothing"
        told = [(one, *self._placed(one)) for one in self.detected()]
        return "\n\n".join(render_finding(finding, text, path) for _, finding, text, path in told)

    def _placed(self, one: Detected) -> tuple[Any, str, str]:
        """The finding, with text and path of the file that its line counts in."""
        from cudasmith.model import Candidate
        from cudasmith.stages.emulated_place import findings, owner

        known = self.loaded if (call := owner(one, self.loaded)) is not None else self.earlier
        call = call or owner(one, known)
        text = _text(call.file) if call is not None else ""
        path = _shown(call.file) if call is not None and text else f"kernel {one.kernel}"
        (finding,) = findings([one], Candidate(text, path), known)
        return finding, text, path


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{NAME}(**options): build and run CUDA extensions on the CPU; options as of cudasmith.emulator.installed",
    )
    config.addinivalue_line(
        "markers",
        f"{ISOLATE}(timeout={LIMIT_S:g}): run the test in a forked process, so that a crash fails this test alone; in seconds",
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("cudasmith").addoption(
        "--cudasmith-isolate",
        action="store_true",
        help=f"run every test that uses {NAME} in a forked process, as the marker {ISOLATE} does",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """An isolated test: the child's reports are logged here, or what ended it."""
    limit_s = _isolated(item)
    if limit_s is None:
        return None
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in _reports(item, limit_s):
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    item.session._setupstate.teardown_exact(nextitem)  # what tests before it have left for it
    return True


def _isolated(item: pytest.Item) -> float | None:
    """The time limit in seconds of a test that gets a process of its own; else None."""
    marker = item.get_closest_marker(ISOLATE)
    asked = item.config.getoption("--cudasmith-isolate") and NAME in getattr(item, "fixturenames", ())
    if (marker is None and not asked) or item.config.getoption("usepdb", False):
        return None
    options = {} if marker is None else dict(marker.kwargs)
    limit_s = options.pop("timeout", LIMIT_S)
    if (
        options
        or (marker is not None and marker.args)
        or not isinstance(limit_s, int | float)
        or limit_s <= 0
    ):
        raise pytest.UsageError(
            f"{item.nodeid}: the marker {ISOLATE} takes timeout=SECONDS: write {ISOLATE}(timeout=60)"
        )
    return float(limit_s)


def _reports(item: pytest.Item, limit_s: float) -> list[pytest.TestReport]:
    from _pytest.runner import runtestprotocol

    from cudasmith.workers.forked import in_fork

    hook, config = item.config.hook, item.config

    def run() -> bytes:
        # the parent node as the next one: the test's own fixtures are torn down, those around it are left
        made = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        return pickle.dumps(
            [hook.pytest_report_to_serializable(config=config, report=report) for report in made]
        )

    ended = in_fork(run, limit_s)
    if ended.data is not None:
        data = pickle.loads(ended.data)
        return [hook.pytest_report_from_serializable(config=config, data=one) for one in data]
    capture = config.pluginmanager.getplugin("capturemanager")
    output = capture.read_global_capture() if capture is not None else ("", "")
    names = ("Captured stdout call", "Captured stderr call")
    sections = [(name, text) for name, text in zip(names, output, strict=True) if text]
    died = _why(item, ended, limit_s, "\n".join(output))

    def report(when: Literal["setup", "call", "teardown"], failed: str | None = None) -> pytest.TestReport:
        keywords: dict[str, Literal[1]] = dict.fromkeys(item.keywords, 1)
        outcome: Literal["passed", "failed"] = "passed" if failed is None else "failed"
        return pytest.TestReport(
            item.nodeid, item.location, keywords, outcome, failed, when, sections if failed else []
        )

    return [report("setup"), report("call", died), report("teardown")]


def _why(item: pytest.Item, ended: Ended, limit_s: float, output: str) -> str:
    """How the process of an isolated test ended, where in the test, and what that means."""
    from cudasmith.stages.diagnose import UNKNOWN, diagnose

    if ended.timed_out:
        told = f"the test was not done after {limit_s:g} s, and was ended"
    elif ended.returncode < 0:
        told = (
            f"the test's process crashed: {signal.strsignal(-ended.returncode)} (signal {-ended.returncode})"
        )
    else:
        told = f"the test's process exited with code {ended.returncode} before the test was done"
    known = [] if ended.timed_out else diagnose(output, None, ended.returncode)
    meaning = [f"{f.message}\nhelp: {f.help}" if f.help else f.message for f in known if f.code != UNKNOWN]
    return "\n\n".join(filter(None, [f"{item.nodeid}: {told}", *meaning, ended.stack]))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The marker alone asks for the fixture too."""
    for item in items:
        names = getattr(item, "fixturenames", None)
        if names is not None and NAME not in names and item.get_closest_marker(NAME) is not None:
            names.insert(0, NAME)


@pytest.fixture
def cuda_emulator(request: pytest.FixtureRequest) -> Iterator[CudaEmulator]:
    """Inside, load_inline builds for the CPU and tensors on "cuda" stay there. Findings fail the test."""
    import torch.utils.cpp_extension as cpp_extension

    from cudasmith import emulator
    from cudasmith.stages.emulated_watch import Watch

    options = _options(request.node)
    torchs = cpp_extension.load_inline
    with emulator.installed(**options):
        watch, emulators = Watch(), cpp_extension.load_inline
        with watch.installed(), contextlib.ExitStack() as stack:
            for old in (torchs, emulators):  # names that `installed` has not seen, and those that it has
                stack.enter_context(emulator.rebound(old, cpp_extension.load_inline, request.module))
            earlier = request.config.stash.setdefault(_LOADED, [])
            device = CudaEmulator(options["mode"] == "checked", watch.loaded, earlier)
            yield device
            earlier += [one for one in watch.loaded if one not in earlier]
        if (left := device.report()) and not request.node.stash.get(_TOLD, False):
            pytest.fail(left, pytrace=False)


_TOLD = pytest.StashKey[bool]()
_LOADED: pytest.StashKey[list[Loaded]] = pytest.StashKey()  # by all tests of this process


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A test that passed fails of its findings; one that failed shows them beside its own error."""
    device = getattr(item, "funcargs", {}).get(NAME)
    if not isinstance(device, CudaEmulator):
        return (yield)
    try:
        result = yield
    except BaseException:
        if text := device.report():
            item.stash[_TOLD] = True
            item.add_report_section("call", "found by the CUDA emulator", text)
        raise
    if text := device.report():
        item.stash[_TOLD] = True
        pytest.fail(text, pytrace=False)
    return result


def _options(node: pytest.Item) -> dict[str, Any]:
    """The marker's arguments. Raises: pytest.UsageError for one that is not known."""
    from cudasmith import emulator
    from cudasmith.emulator.install import Order
    from cudasmith.emulator.toolchain import Mode

    marker = node.get_closest_marker(NAME)
    given = {} if marker is None else dict(marker.kwargs)
    known = list(inspect.signature(emulator.installed).parameters)
    unknown = [name for name in given if name not in known]
    if unknown or (marker is not None and marker.args):
        what = f"has no option {unknown[0]!r}" if unknown else "takes options by name only"
        raise pytest.UsageError(f"the marker {NAME} {what}; known: {', '.join(known)}; write {_USE}")
    choices = {"mode": get_args(Mode), "order": get_args(Order), "target": tuple(emulator.TARGETS)}
    for name, values in choices.items():
        if name in given and given[name] not in values:
            raise pytest.UsageError(
                f"the marker {NAME}: {name} {given[name]!r} is not known: {', '.join(values)}"
            )
    return {"mode": "checked", **given}


def _text(file: str) -> str:
    path = Path(file)
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _shown(file: str) -> str:
    """Relative to the working directory, where it lies below."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
