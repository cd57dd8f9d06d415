"""Stage emulate: what one run of a candidate on the CPU shows, and that it survives whatever the candidate does."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from cudasmith.cli.emulate import TARGETS, exit_code
from cudasmith.emulator.targets import TARGETS as KNOWN_TARGETS
from cudasmith.model import Candidate, CaseStatus, CudasmithError, Emulation, Finding, RunStatus
from cudasmith.stages.emulate import EmulateOptions, emulate

TEXT = (Path(__file__).parents[1] / "data" / "emulate" / "subjects.py").read_text()
FORWARD = "return ext.scale(x, 2.0)  # FORWARD"
assert FORWARD in TEXT


def run(
    forward: str, *changes: tuple[str, str], reference: str | None = None, **options: object
) -> Emulation:
    """The run of a candidate whose forward is `forward`. It leaves no process behind."""
    text = TEXT.replace(FORWARD, forward)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    seen = emulate(
        Candidate(text, "candidate.py"),
        None if reference is None else Candidate(reference, "reference.py"),
        EmulateOptions(**{"timeout_s": 60.0, **options}),  # type: ignore[arg-type]
    )
    names = [" ".join(p.cmdline()) for p in psutil.Process().children(recursive=True)]
    assert not [n for n in names if "cudasmith.workers.child" in n], names
    return seen


def codes(seen: Emulation) -> list[str]:
    return [f.code for f in seen.findings]


def line(finding: Finding, forward: str) -> str:
    """The words of the candidate's line that the finding stands at."""
    assert finding.span is not None
    return TEXT.replace(FORWARD, forward).splitlines()[finding.span.line - 1]


def without_model(text: str) -> str:
    """A candidate's text as it would be without its own reference."""
    return text.replace("class Model(nn.Module):", "class Other(nn.Module):")


def test_a_right_kernel_is_clean_compared_and_controlled() -> None:
    seen = run(FORWARD)
    assert seen.passed and exit_code(seen) == 0 and seen.findings == () and seen.unchecked == ()
    assert [(one.kernel, one.grid, one.block, one.count) for one in seen.launches] == [
        ("scale_kernel", (1, 1, 1), (64, 1, 1), 1)
    ]
    assert seen.comparison is not None and seen.comparison.status is CaseStatus.PASSED
    assert seen.control == "the outputs changed when no kernel ran"


def test_a_wrong_value_is_told_with_both_values() -> None:
    seen = run("return ext.scale(x, 2.1)")
    assert seen.comparison is not None and seen.comparison.status is CaseStatus.WRONG_VALUE
    assert seen.comparison.got != seen.comparison.expected and exit_code(seen) == 1 and not seen.findings


@pytest.mark.parametrize(
    ("function", "code", "words"),
    [
        ("reversed_racy", "EM203", "// race"),
        ("beyond", "EM101", "// beyond"),
        ("half_written", "EM403", "auto y = torch::empty_like(x);"),
        ("sums_unwritten", "EM401", "// unwritten"),
        ("deep_kernel", "EM104", "volatile float here[64];"),
    ],
)
def test_what_a_kernel_does_wrong_stands_at_its_line_of_the_python_file(
    function: str, code: str, words: str
) -> None:
    forward = f"return ext.{function}(x)"
    seen = run(forward)
    found = [f for f in seen.findings if f.code == code]
    assert found and not seen.passed
    assert any(words in line(f, forward) for f in found)
    if code != "EM403":
        assert found[0].notes[0].startswith("kernel ") and "launched in line" in found[0].notes[0]
        assert any(note.startswith("block (0, 0, 0), thread (") for note in found[0].notes)


def test_a_local_that_nobody_wrote_is_a_warning_at_its_line() -> None:
    change = ("  if (i < n) put(y + i, widened(x[i]) * factor);",
              "  float by;\n  if (n > 1000) by = factor;\n  if (i < n) put(y + i, widened(x[i]) * by);")  # fmt: skip
    seen = run(FORWARD, change)
    found = next(f for f in seen.findings if f.code == "EM404")
    assert found.severity == "warning" and found.span is not None and "by" in found.message
    told = TEXT.replace(*change).splitlines()[found.span.line - 1]
    assert "float by;" in told or "* by);" in told
    wrong = (CaseStatus.WRONG_VALUE, CaseStatus.WRONG_NAN)  # -1.7e38 times x may be infinite
    assert seen.comparison is not None and seen.comparison.status in wrong


def test_a_race_tells_the_other_access_by_its_line() -> None:
    forward = "return ext.reversed_racy(x)"
    race = next(f for f in run(forward).findings if f.code == "EM203")
    other = next(n for n in race.notes if n.startswith("the other access: line "))
    number = int(other.split("line ")[1].split(",")[0])
    assert "tile[threadIdx.x] = x[threadIdx.x]" in TEXT.splitlines()[number - 1]


def test_fast_mode_finds_a_stray_access_at_its_launch() -> None:
    forward = "return ext.beyond(x)"
    seen = run(forward, ("torch.randn(50)", "torch.randn(64)"), mode="fast")  # to the end of a guarded page
    (found,) = seen.findings
    assert found.code == "EM101" and "beyond_kernel<<<" in line(found, forward)


@pytest.mark.parametrize("function", ["null_write", "deep_host"])
def test_a_crash_of_the_host_ends_that_run_only(function: str) -> None:
    forward = f"return ext.{function}(x)"
    seen = run(forward)
    assert seen.status is RunStatus.CRASHED and exit_code(seen) == 1
    (found,) = seen.findings
    assert found.code == "EM607" and f"the bound function {function}" in found.message
    assert line(found, forward).strip() == forward


def test_a_crash_does_not_lose_what_was_found_before() -> None:
    seen = run("return ext.null_write(ext.half_written(x))")
    assert seen.status is RunStatus.CRASHED and "EM403" in codes(seen)


@pytest.mark.parametrize("mode", ["checked", "fast"])
def test_an_endless_kernel_is_a_timeout_at_its_line(mode: str) -> None:
    forward = "ext.scale(x, 2.0); return ext.spin(x)"
    seen = run(
        forward, timeout_s=10.0, mode=mode
    )  # the steps before it must end in it, on a busy machine too
    assert seen.status is RunStatus.TIMEOUT and exit_code(seen) == 1
    (found,) = seen.findings
    assert found.code == "EM115" and "does not end" in seen.message and "kernel spin_kernel" in found.notes[0]
    # of the launch too where the time is over between two instructions that call the runtime
    places = ("while (y[0]", "spin_kernel<<<") if mode == "checked" else ("spin_kernel<<<",)
    assert any(words in line(found, forward) for words in places)
    assert [one.kernel for one in seen.launches] == ["scale_kernel", "spin_kernel"]


def test_endless_host_code_is_a_timeout() -> None:
    seen = run("ext.scale(x, 2.0)\n        while True: pass", timeout_s=10.0)
    assert seen.status is RunStatus.TIMEOUT and "not done after 10 s" in seen.message
    assert [one.kernel for one in seen.launches] == ["scale_kernel"]


def test_what_a_call_did_before_it_crashed_is_told() -> None:
    crash = ("  reverse_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());\n",)
    seen = run("return ext.reversed_racy(x)", (crash[0], crash[0] + "  *(volatile int*)nullptr = 1;\n"))
    assert seen.status is RunStatus.CRASHED and {"EM203", "EM607"} <= set(codes(seen))
    assert [one.kernel for one in seen.launches] == ["reverse_kernel"]


@pytest.mark.parametrize("function", ["large_array", "large_vector"])
def test_a_hundred_gigabytes_end_that_run_only(function: str) -> None:
    """Where the system lends the address space, the limit of memory ends it; else the allocation fails."""
    seen = run(f"return ext.{function}(x)", memory_bytes=3 << 30)
    assert seen.status in (RunStatus.MEMORY, RunStatus.RAISED) and exit_code(seen) == 1
    assert any("memory" in f.message or "bad_alloc" in f.message for f in seen.findings)


def test_memory_that_is_really_taken_ends_the_run() -> None:
    seen = run("kept = [torch.ones(1 << 26) for _ in range(1000)]; return x", memory_bytes=2 << 30)
    assert seen.status is RunStatus.MEMORY and "2.0 GB" in seen.message


def test_a_torch_fallback_launches_no_kernel() -> None:
    seen = run("return 2 * x")
    assert codes(seen) == ["EM601"] and exit_code(seen) == 1
    assert seen.comparison is not None and seen.comparison.status is CaseStatus.PASSED


def test_an_exception_that_the_candidate_caught_is_told() -> None:
    forward = "\n        try:\n            return ext.refuse(x)\n        except Exception:\n            return 2 * x"
    seen = run(forward)
    assert codes(seen) == ["EM603", "EM601"]
    caught = seen.findings[0]
    assert "refuse raised RuntimeError" in caught.message and "return ext.refuse(x)" in line(caught, forward)
    assert "50 elements" in caught.notes[0]


def test_an_exception_that_reaches_us_was_not_caught() -> None:
    seen = run("return ext.refuse(x)")
    assert codes(seen) == ["EM605"] and seen.status is RunStatus.RAISED
    forward = "\n        try:\n            return ext.refuse(x)\n        except Exception as e:\n            raise ValueError('no') from e"
    seen = run(forward)
    assert codes(seen) == ["EM605"] and "ValueError: no" in seen.findings[0].message


def test_a_decoy_kernel_beside_torchs_result_is_found() -> None:
    seen = run("ext.scale(x, 2.0); return 2 * x")
    assert codes(seen) == ["EM602"] and "scale_kernel" in seen.findings[0].notes[0] and exit_code(seen) == 1


def test_a_kernel_whose_values_do_not_matter_is_not_shown_to_make_the_output() -> None:
    seen = run("r = ext.scale(x, 3.0); return 2 * x + 0 * (r - r)")
    (found,) = seen.findings
    assert (found.code, found.severity) == ("EM602", "warning") and "not shown" in found.message
    beside = run("r = ext.plus(x); return ext.scale(x, 2.0) + 0 * (r - r)")
    assert beside.passed and beside.findings == ()
    assert "not shown: no output changed when kernel plus_kernel did not run" in beside.control
    both = run("return ext.scale(ext.plus(x) - 1, 2.0)")
    assert both.control == "the outputs changed when no kernel ran, and when any one of them did not"


def test_an_output_that_the_candidate_keeps_and_fills_is_fine() -> None:
    keeps = "self.y = getattr(self, 'y', torch.empty_like(x)); self.y.copy_(ext.scale(x, 2.0)); return self.y"
    seen = run(keeps)
    assert seen.passed and "keeps their memory" in seen.control, seen


def test_a_result_kept_by_a_cache_is_found() -> None:
    seen = run(
        "self.y = getattr(self, 'y', None) if hasattr(self, 'y') else ext.scale(x, 2.0); return self.y"
    )
    assert codes(seen) == ["EM604"]


def test_a_result_kept_by_the_address_of_the_input_is_found() -> None:
    memo = "self.kept = getattr(self, 'kept', {}); key = x.data_ptr()\n        "
    memo += "if key not in self.kept: self.kept[key] = ext.scale(x, 2.0)\n        return self.kept[key]"
    assert codes(run(memo)) == ["EM604"]


def test_one_of_several_outputs_without_a_kernel_is_a_warning() -> None:
    pair = ("return 2 * x", "return 2 * x, (3 * x, x.numel())")
    seen = run("return ext.scale(x, 2.0), (3 * x, x.numel())", pair)
    (found,) = seen.findings
    assert (found.code, found.severity) == ("EM602", "warning") and "1.0" in found.message and seen.passed


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_outputs_are_compared_by_their_own_rounding(dtype: str) -> None:
    change = ("torch.randn(50)", f"torch.randn(50).to(torch.{dtype})")
    assert run("return ext.scale_half(x, 2.0)", change).passed
    wrong = run("return ext.scale_half(x, 2.1)", change)
    assert wrong.comparison is not None and wrong.comparison.status is CaseStatus.WRONG_VALUE


LINEAR = """
class Model(nn.Module):
    def __init__(self, width, factor):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.factor = factor

    def forward(self, x):
        return self.linear(x) * self.factor


def get_inputs():
    return [torch.randn(4, 50)]


def get_init_inputs():
    return [50, 3.0]
"""
REFERENCE = "import torch\nimport torch.nn as nn\n" + LINEAR
WITH_LINEAR = (
    "class ModelNew(nn.Module):\n",
    "class ModelNew(nn.Module):\n    def __init__(self, width, factor):\n        super().__init__()\n"
    "        self.linear = nn.Linear(width, width)\n        self.factor = factor\n\n",
)


def test_constructor_arguments_and_parameters_come_from_the_reference() -> None:
    seen = run("return ext.scale(self.linear(x), self.factor)", WITH_LINEAR, reference=REFERENCE)
    assert seen.passed and seen.comparison is not None, seen
    assert seen.comparison.case.inputs[0].shape == (4, 50) and not seen.notes


def test_parameters_of_other_names_come_from_the_same_seed() -> None:
    other = (WITH_LINEAR[0], WITH_LINEAR[1].replace("self.linear", "self.own"))
    seen = run("return ext.scale(self.own(x), self.factor)", other, reference=REFERENCE)
    assert seen.passed and seen.comparison is not None, seen
    assert "parameters come from the same seed" in seen.notes[0]


def test_without_a_reference_nothing_is_compared_and_it_says_so() -> None:
    seen = run(FORWARD, ("class Model(nn.Module)", "class Other(nn.Module)"))
    assert seen.passed and seen.comparison is None and "there is no reference" in seen.not_compared
    assert len(seen.launches) == 1


def test_inputs_that_a_cpu_cannot_bear_are_shrunk() -> None:
    seen = run(FORWARD, ("torch.randn(50)", "torch.randn(4096, 16384)"))
    assert seen.passed and seen.comparison is not None, seen
    assert "shrunk from 4096x16384 to 1024x1024" in seen.notes[0]


def test_inputs_that_cannot_be_shrunk_are_refused_before_a_run() -> None:
    large = ("torch.randn(50)", "torch.randn(4096, 16384)")
    with pytest.raises(CudasmithError, match="67,108,864 elements") as raised:
        run(FORWARD, large, ("class Model(nn.Module)", "class Other(nn.Module)"))
    assert raised.value.code == "CSE003" and "--no-shrink" in str(raised.value.help)


def test_a_build_failure_stands_at_its_line() -> None:
    forward = FORWARD
    seen = run(forward, ("if (i < n / 2) y[i]", "if (i < n / 2 y[i]"))
    assert seen.status is RunStatus.BUILD_FAILED and exit_code(seen) == 1
    assert any("if (i < n / 2) y[i]" in line(f, forward) for f in seen.findings)


def test_what_the_emulator_lacks_is_not_known_and_no_error_of_the_file() -> None:
    seen = run(FORWARD, ("#include <vector>\n", "#include <vector>\n#include <thrust/sort.h>\n"))
    assert seen.status is RunStatus.NO_TOOLCHAIN and exit_code(seen) == 4, seen
    nested = ("while (y[0] != 12345.0f) {", "spin_kernel<<<1, 1>>>(y); {")
    seen = run("return ext.spin(x)", nested)
    assert seen.status is RunStatus.NO_TOOLCHAIN and exit_code(seen) == 4, seen
    assert codes(seen) == ["EM901"]


def test_a_reference_without_end_is_the_references_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudasmith.stages.emulate.TRACE_S", 3.0)
    endless = REFERENCE.replace(
        "        return self.linear(x)", "        while True: pass\n        return self.linear(x)"
    )
    with pytest.raises(CudasmithError, match="not done after 3 s"):
        run(FORWARD, reference=endless, timeout_s=3.0)
    sleeps = REFERENCE.replace(
        "    return [torch.randn(4, 50)]", "    torch.randn(4, 50).sum().item()\n    while True: pass"
    )
    with pytest.raises(CudasmithError, match="not done after 3 s"):
        run(FORWARD, reference=sleeps, timeout_s=3.0)


def test_a_kernels_name_limits_what_is_told() -> None:
    both = "ext.half_written(x); return ext.scale(x, 2.0)"
    assert "EM403" in codes(run(both))
    seen = run("ext.sums_unwritten(x); return ext.scale(x, 2.0)", kernel="scale_kernel")
    assert seen.passed and [one.kernel for one in seen.launches] == ["scale_kernel"]


def test_a_kernels_name_that_is_not_launched_lists_those_that_are() -> None:
    with pytest.raises(CudasmithError) as raised:
        run(FORWARD, kernel="scale_kernels")
    assert raised.value.code == "CSE004" and "launched: scale_kernel" in str(raised.value.help)
    assert "did you mean" in str(raised.value.help)


def test_a_kernels_name_does_not_hide_why_a_run_did_not_end() -> None:
    forward = "ext.scale(x, 2.0); return ext.beyond(x)"
    seen = run(forward, kernel="scale_kernel")
    assert "EM101" in codes(seen) and [one.kernel for one in seen.launches] == ["scale_kernel"]
    with pytest.raises(CudasmithError) as raised:
        run(forward, kernel="scal_kernel")
    assert raised.value.code == "CSE004" and "scale_kernel, reverse_kernel, beyond_kernel" in str(
        raised.value.help
    )
    with pytest.raises(CudasmithError):
        run(forward, kernel="scal")


def test_a_refused_launch_names_its_limit_and_comes_before_what_it_leaves_unwritten() -> None:
    many = (
        "scale_kernel<<<(n + 63) / 64, 64>>>(x.data_ptr<float>()",
        "scale_kernel<<<1, 2048>>>(x.data_ptr<float>()",
    )
    seen = run(FORWARD, many)
    assert codes(seen) == ["EM301", "EM403"]
    refused = seen.findings[0]
    assert "a block of 2048 threads, at most 1024 are allowed" in refused.message and refused.span is not None
    assert many[1] in TEXT.replace(*many).splitlines()[refused.span.line - 1]


def test_a_messages_lines_are_those_of_the_file() -> None:
    race = next(words for words in TEXT.splitlines() if "// race" in words)
    barrier = (race, "  if (threadIdx.x < 9) __syncthreads();")
    found = next(f for f in run("return ext.reversed_racy(x)", barrier).findings if f.code == "EM201")
    assert found.span is not None and f"of line {found.span.line}," in found.message


def test_a_function_that_no_source_declares_is_told_at_load_inline() -> None:
    seen = run(FORWARD, ("functions=FUNCTIONS", "functions=[*FUNCTIONS, 'scle']"))
    (found,) = seen.findings
    assert "'scle', which no source declares; did you mean 'scale'?" in found.message
    assert found.span is not None and "load_inline(" in TEXT.splitlines()[found.span.line - 1]


def test_inputs_that_cannot_be_made_are_told_with_their_line(tmp_path: Path) -> None:
    reference = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
    reference += "def get_inputs():\n    raise KeyError('no data')\n"
    with pytest.raises(CudasmithError) as raised:
        run(FORWARD, reference=reference)
    assert raised.value.where == "reference.py:6"


def test_host_memory_and_operators_on_two_devices_are_told() -> None:
    forward = "return ext.scale(torch.zeros(50), 2.0) + 2 * x"
    seen = run(forward)
    assert codes(seen) == ["EM113"] and "widened(x[i])" in line(seen.findings[0], forward)
    forward = "return ext.scale(x, 2.0) + 0 * (x + torch.zeros(50))"
    seen = run(forward)
    assert codes(seen) == ["EM605"] and "two devices, cuda:0 and cpu" in seen.findings[0].message
    assert line(seen.findings[0], forward).strip() == forward


def test_what_a_benchmark_moves_lies_on_cuda() -> None:
    held = "class ModelNew(nn.Module):\n    def __init__(self):\n        super().__init__()\n{}\n"
    forward = "assert x.device.type == self.b.device.type == 'cuda'; return ext.scale(x + self.b, 2.0)"
    change = (
        "class ModelNew(nn.Module):\n",
        held.format("        self.register_buffer('b', torch.zeros(50), persistent=False)"),
    )
    seen = run(forward, change)
    assert seen.passed, seen
    change = ("class ModelNew(nn.Module):\n", held.format("        self.b = torch.zeros(50)"))
    assert codes(run("return ext.scale(self.b, 2.0) + 2 * x", change)) == ["EM113"]


SCRIPT = TEXT[: TEXT.index("class Model(")]


def script(body: str, **options: object) -> Emulation:
    text = SCRIPT + body
    return emulate(Candidate(text, "script.py"), None, EmulateOptions(**options))  # type: ignore[arg-type]


def test_a_script_is_run_as_main() -> None:
    seen = script(
        "if __name__ == '__main__':\n    print(ext.scale(torch.ones(3, device='cuda'), 2.0).sum().item())\n"
    )
    assert seen.passed and seen.form == "script" and seen.stdout.strip() == "6.0"
    assert "script returns nothing" in seen.not_compared and len(seen.launches) == 1


def test_a_scripts_exit_code_and_missing_launch_are_told() -> None:
    seen = script("import sys\nsys.exit(3)\n")
    assert seen.status is RunStatus.RAISED and "SystemExit" in seen.message
    assert codes(script("import sys\nsys.exit(0)\n")) == ["EM601"]


def test_a_script_that_loads_twice_has_findings_at_the_right_text() -> None:
    other = 'CUDA2 = "".join(CUDA).replace("2 * x[i + 1]", "2 * x[i + 2]").replace("beyond_kernel", "other_kernel")\n'
    other += 'two = load_inline(name="two", cpp_sources=CPP, cuda_sources=CUDA2, functions=FUNCTIONS)\n'
    seen = script(
        other
        + "x = torch.ones(50, device='cuda')\ntry:\n    two.beyond(x)\nexcept Exception: pass\next.beyond(x)\n"
    )
    found = [f for f in seen.findings if f.code == "EM101"]
    assert [f.span is None for f in found] == [True, False]
    assert any("x[i + 2]" in note for note in found[0].notes), found[0]  # the text stands in no file
    assert found[1].span is not None and "x[i + 1]" in SCRIPT.splitlines()[found[1].span.line - 1]


def test_targets_of_the_command_are_those_of_the_emulator() -> None:
    assert set(TARGETS) == set(KNOWN_TARGETS)


def test_a_race_comes_before_what_it_leaves_unwritten() -> None:
    found = codes(run("return ext.reversed_racy(x)"))
    assert found[0] == "EM203" and "EM401" in found[1:], found


def test_inputs_of_the_candidate_in_place_of_the_references_are_noted() -> None:
    reference = (
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x * 2.0\n"
    )
    seen = run(FORWARD, reference=reference)
    assert (
        seen.passed
        and seen.notes[0] == "reference.py has no get_inputs: the inputs are those of candidate.py"
    )
