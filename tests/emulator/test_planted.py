"""Checked mode on a corpus of small kernels: each planted bug is told by its class at its line, correct kernels by none.

In the .cu files "bug: FUNCTION CODE" stands on the line that must be named; a number after it moves the line.
"""

from __future__ import annotations

import functools
import re
import types
from pathlib import Path

import pytest
import torch

from cudasmith import emulator
from cudasmith.emulator.toolchain import has_pattern

PLANTED = Path(__file__).parent / "planted"
_MARK = re.compile(r"// bug: (\w+) (EM\d+)(?: (-?\d+))?")
_HOST = re.compile(r"^(?:void|torch::Tensor|std::vector<torch::Tensor>) (\w+)\(\) ?\{", re.MULTILINE)
_WITH_TENSORS = re.compile(r"^void (\w+)\(torch::Tensor x, torch::Tensor y\) \{", re.MULTILINE)
Expected = set[tuple[str, int]]


def _marks(name: str) -> dict[str, Expected]:
    """For each function the classes and lines that must be told."""
    found: dict[str, Expected] = {}
    for number, line in enumerate((PLANTED / f"{name}.cu").read_text().splitlines(), 1):
        for function, code, moved in _MARK.findall(line):
            found.setdefault(function, set()).add((code, number + int(moved or 0)))
    return found


@functools.cache
def _module(name: str) -> types.ModuleType:
    text = (PLANTED / f"{name}.cu").read_text()
    hosts = [*_HOST.finditer(text), *_WITH_TENSORS.finditer(text)]
    functions = [m[1] for m in hosts]
    declarations = "\n".join(m.group().rstrip("{ ") + ";" for m in hosts)
    return emulator.load_inline(
        name=f"planted_{name}", cpp_sources=declarations, cuda_sources=text, functions=functions
    )


def _lines(one: emulator.Detected) -> set[int]:
    """A race has two places, and which of them is first depends on who runs first."""
    return {one.at.line} | ({one.other.line} if one.other is not None else set())


def _told(name: str, function: str, **options: object) -> list[emulator.Detected]:
    with emulator.installed(mode="checked", devices=False, **options):  # type: ignore[arg-type]
        call = getattr(_module(name), function)
        try:
            call()
        except emulator.EmulatorFault as fault:
            assert fault.detected is not None
        found = emulator.detected()
        assert emulator.coverage().unchecked == ()
    return found


PLANTS = [
    pytest.param(name, function, expected, id=f"{name}-{function}")
    for name in ("bounds", "races", "values", "first_function")
    for function, expected in _marks(name).items()
]
CLEAN = _HOST.findall((PLANTED / "clean.cu").read_text())
ORDERS = [("forward", 0), ("reverse", 0), ("random", 1), ("random", 2)]


@pytest.mark.parametrize(("name", "function", "expected"), PLANTS)
def test_a_planted_bug_is_told_by_its_class_at_its_line(name: str, function: str, expected: Expected) -> None:
    found = _told(name, function)
    assert {d.code for d in found} == {code for code, _ in expected}, found
    assert expected <= {(d.code, line) for d in found for line in _lines(d)}, found
    for one in found:
        assert one.at.source == "cuda_sources[0]" or one.code == "EM301"
        if one.code in ("EM203", "EM204"):
            assert one.other is not None
            assert one.other.line > 0


@pytest.mark.parametrize(("name", "function", "expected"), PLANTS)
def test_a_planted_bug_is_told_in_every_order(name: str, function: str, expected: Expected) -> None:
    for order, seed in ORDERS[1:]:
        assert {code for code, _ in expected} & {
            d.code for d in _told(name, function, order=order, seed=seed)
        }


@pytest.mark.parametrize("function", CLEAN)
def test_a_correct_kernel_is_told_of_nothing_in_any_order(function: str) -> None:
    for order, seed in ORDERS:
        if function.startswith("forward_only") and order != "forward":
            continue
        assert _told("clean", function, order=order, seed=seed, fail_fast=True) == []


def _warned_of(name: str) -> list[emulator.Detected]:
    """What the compiler says of the corpus file, loaded afresh."""
    with emulator.installed(mode="checked", devices=False):
        before = len(emulator.warned())
        text = (PLANTED / f"{name}.cu").read_text()
        hosts = [*_HOST.finditer(text), *_WITH_TENSORS.finditer(text)]
        marked = text + f"// {name} again, for its warnings\n"
        emulator.load_inline(
            name=f"warned_{name}",
            cpp_sources="\n".join(m.group().rstrip("{ ") + ";" for m in hosts),
            cuda_sources=marked,
            functions=[m[1] for m in hosts],
        )
        return emulator.warned()[before:]


def test_locals_that_are_read_before_they_are_written_are_warnings_at_their_line() -> None:
    lines = (PLANTED / "values.cu").read_text().splitlines()
    expected = {n for n, line in enumerate(lines, 1) if "// warned: local_unset EM404" in line}
    found = _warned_of("values")
    assert expected <= {one.at.line for one in found}, found
    for one in found:
        finding = one.finding()
        assert (finding.code, finding.severity) == ("EM404", "warning")
        assert finding.confidence == ("high" if one.certain else "medium")
        assert "local_unset" in lines[one.at.line - 1] or "kept" in lines[one.at.line - 1], one


@pytest.mark.parametrize("name", ["clean", "races", "bounds"])
def test_the_compiler_warns_of_no_local_of_other_kernels(name: str) -> None:
    assert _warned_of(name) == []


@pytest.mark.skipif(not has_pattern(), reason="this compiler does not fill locals")
def test_a_local_array_that_nobody_wrote_holds_no_plausible_value() -> None:
    with emulator.installed(mode="checked", devices=False):
        y = _module("values").local_array_unset()
    assert y[0] == 1
    assert all(abs(v) > 1e30 or v != v for v in y[1:4].tolist()), y


def test_the_corpus_is_large_enough() -> None:
    assert len(PLANTS) >= 60
    assert len(CLEAN) >= 30


def test_a_module_without_checks_is_said_to_be_unchecked(correct: types.ModuleType) -> None:
    with emulator.installed(mode="checked", devices=False):
        correct.scale(torch.ones(8))
        assert emulator.coverage().unchecked == ("kernel scale_kernel<N> was compiled without checks",)


def test_memory_from_elsewhere_is_said_to_be_unchecked() -> None:
    with emulator.installed(guarded=False):
        x = torch.ones(1 << 16)
    with emulator.installed(mode="checked", devices=False):
        source = "__global__ void k(float* x) { x[0] = 1; }\nvoid f(torch::Tensor x) { k<<<1, 1>>>(x.data_ptr<float>()); }"
        module = emulator.load_inline("elsewhere", "void f(torch::Tensor x);", source, functions=["f"])
        module.f(x)
        assert emulator.coverage().unchecked == (
            "kernel k accesses memory that was made outside the emulator",
        )
        assert emulator.detected() == []


def test_fail_fast_ends_the_kernel_at_a_race() -> None:
    with (
        emulator.installed(mode="checked", devices=False, fail_fast=True),
        pytest.raises(emulator.EmulatorFault) as caught,
    ):
        _module("races").sum()
    assert caught.value.detected is not None
    assert caught.value.detected.name == "race on global memory"


def test_outputs_of_python_are_checked_on_request() -> None:
    with emulator.installed(mode="checked", devices=False):
        y = torch.empty(8)
        y[:5] = 1
        emulator.check_outputs([y, torch.ones(3)])
        (one,) = emulator.detected()
    assert one.message == "output never written: 3 of 8 elements of a returned tensor, the first at (5)"


@pytest.mark.parametrize(("name", "right"), [("bounds", False), ("clean", True)])
def test_an_index_that_overflows_at_full_shape_is_shown_without_its_memory(name: str, right: bool) -> None:
    with emulator.installed(mode="checked", devices=False, sampled_blocks=24):
        x, y = (torch.empty(2**31 + 4096, dtype=torch.uint8) for _ in range(2))
        if right:
            _module(name).wide_thread_index(x, y)
            assert emulator.detected() == []
            assert "only a sample of its 8388624 blocks ran" in emulator.coverage().unchecked[-1]
            return
        with pytest.raises(emulator.EmulatorFault) as caught:
            _module(name).narrow_thread_index(x, y)
    text = (PLANTED / "bounds.cu").read_text().splitlines()
    assert caught.value.detected is not None
    assert text[caught.value.detected.at.line - 1] == "  if (i < n) y[i] = 255 - x[i];"
    assert caught.value.detected.message.startswith(
        "out-of-bounds read of 1 byte: 2147483648 bytes before the start"
    )


@pytest.mark.parametrize("order", ["forward", "random"])
def test_kernels_with_every_feature_have_no_finding(order: str) -> None:
    source = (Path(__file__).parent / "correct_kernels.cu").read_text()
    with emulator.installed(mode="checked", devices=False, order=order):  # type: ignore[arg-type]
        module = emulator.load_inline(name="correct", cpp_sources=[], cuda_sources=[source])
        module.map(torch.randn(1000), 2.5)
        module.scale(torch.randn(50))
        for dtype in (torch.float32, torch.float64, torch.float16):
            module.row_sum(torch.randint(-3, 4, (5, 777)).to(dtype))
        module.scan(torch.randn(160))
        module.index3d()
        module.reverse(torch.randn(20_000), True)
        module.vote()
        module.halves(torch.randn(64).half(), torch.randn(64).bfloat16())
        module.vectors(torch.randn(32, 4))
        module.doubles()
        assert emulator.detected() == []
        assert emulator.coverage() == emulator.Coverage(12, ())
