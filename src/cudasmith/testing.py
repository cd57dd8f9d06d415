"""A pytest plugin: tests whose CUDA extensions are built for and run on the CPU, every access checked.

    pytest_plugins = ["cudasmith.testing"]  # in conftest.py

    @pytest.mark.cuda_emulator(order="random", seed=1)
    def test_my_kernel(cuda_emulator):
        ext = load_inline(...)  # g++, no GPU
        out = ext.scale(torch.rand(50, device="cuda"), 2.0)
        assert cuda_emulator.launches()[0].kernel == "scale_kernel"

A test fails when checked mode finds anything while it runs, at the line of the Python file. The marker takes the arguments
of `cudasmith.emulator.installed`; without it the mode is "checked". Call load_inline in the test, in a function or in a
fixture that uses `cuda_emulator`: what a module loads when it is imported is built before the test begins. A crash of host
code ends pytest; `cudasmith emulate` runs a file in a process of its own.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

if TYPE_CHECKING:
    from cudasmith.emulator import Coverage, Detected, Launch
    from cudasmith.stages.emulated_place import Loaded

NAME = "cuda_emulator"
_USE = f'pytest.mark.{NAME}(mode="checked", order="forward", seed=0, target="h200")'


@attrs.define
class CudaEmulator:
    """What the fixture `cuda_emulator` gives: what happened on the emulated device since the test began."""

    checked: bool
    loaded: list[Loaded] = attrs.field(repr=False)
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

        call = owner(one, self.loaded)
        text = _text(call.file) if call is not None else ""
        path = _shown(call.file) if call is not None and text else f"kernel {one.kernel}"
        (finding,) = findings([one], Candidate(text, path), self.loaded)
        return finding, text, path


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{NAME}(**options): build and run CUDA extensions on the CPU; options as of cudasmith.emulator.installed",
    )


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
            device = CudaEmulator(options["mode"] == "checked", watch.loaded)
            yield device
        if (left := device.report()) and not request.node.stash.get(_TOLD, False):
            pytest.fail(left, pytrace=False)


_TOLD = pytest.StashKey[bool]()


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

    marker = node.get_closest_marker(NAME)
    given = {} if marker is None else dict(marker.kwargs)
    known = list(inspect.signature(emulator.installed).parameters)
    unknown = [name for name in given if name not in known]
    if unknown or (marker is not None and marker.args):
        what = f"has no option {unknown[0]!r}" if unknown else "takes options by name only"
        raise pytest.UsageError(f"the marker {NAME} {what}; known: {', '.join(known)}; write {_USE}")
    if given.get("target", "h200") not in emulator.TARGETS:
        raise pytest.UsageError(f"target {given['target']!r} is not known: {', '.join(emulator.TARGETS)}")
    return {"mode": "checked", **given}


def _text(file: str) -> str:
    path = Path(file)
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _shown(file: str) -> str:
    """Relative to the working directory, where it lies below."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
