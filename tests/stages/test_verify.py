"""Verify: a right candidate passes, each planted fault gets its own status."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cloudpickle
import pytest
import torch

from cudasmith.model import (
    BuildStatus,
    Candidate,
    Capture,
    Case,
    CaseResult,
    CaseStatus,
    Problem,
    ProblemError,
    VerdictStatus,
)
from cudasmith.model.jsonio import dumps, from_data
from cudasmith.stages._verify.entry import Request, verify_here
from cudasmith.stages.capture import capture
from cudasmith.stages.cases import cases
from cudasmith.stages.read import read
from cudasmith.stages.verify import verify

DATA = Path(__file__).parents[1] / "data" / "verify"
RIGHT = (DATA / "scale_new.py").read_text()
MEMORY = 4 << 30


@pytest.fixture(scope="module")
def scale() -> tuple[Problem, Capture]:
    problem = read(DATA / "scale.py")
    return problem, capture(problem)


@pytest.fixture(scope="module")
def norm() -> tuple[Problem, Capture]:
    problem = read(DATA / "norm.py")
    return problem, capture(problem)


def planted(line: str, *, at: str = "# after", text: str = RIGHT) -> str:
    """The candidate with one line put at a mark."""
    assert at in text
    return text.replace(f"{at}\n", f"{line}\n")


def chosen(captured: Capture, *names: str) -> tuple[Case, ...]:
    found = tuple(c for c in cases(captured, full=False, seed=0) if not names or c.name in names)
    assert len(found) >= len(names), names
    return found


def here(
    subject: tuple[Problem, Capture], text: str, tmp_path: Path, *names: str
) -> tuple[dict[str, Any], dict[str, CaseResult]]:
    """What the worker's entry says, run in this process: for faults that do not kill it."""
    problem, captured = subject
    some = chosen(captured, *names)
    request = Request(problem, text, captured, some, (), "1", "emulator", False, 30.0, str(tmp_path))
    events: list[dict[str, Any]] = []
    end = verify_here(dumps(request).encode(), events.append)
    results = [from_data(e["result"], CaseResult) for e in events if "done" in e]
    return end, {r.case.name: r for r in results}


def one(
    subject: tuple[Problem, Capture], text: str, tmp_path: Path, name: str = "values_normal"
) -> CaseResult:
    end, results = here(subject, text, tmp_path, name)
    assert end == {"end": "done"}
    return results[name]


def test_a_right_candidate_passes_every_case(scale, tmp_path):
    end, results = here(scale, RIGHT, tmp_path)
    assert end == {"end": "done"}
    bad = {n: (r.status, r.message) for n, r in results.items() if r.status is not CaseStatus.PASSED}
    assert not bad
    assert 0 < results["values_normal"].error_ratio < 0.6


def test_a_value_wrong_in_the_last_element_only(scale, tmp_path):
    result = one(scale, planted("y.view(-1)[-1] += 1e-3"), tmp_path, "shrunk")
    assert result.status is CaseStatus.WRONG_VALUE
    assert result.worst_index == (2, 23)
    assert result.got == pytest.approx(result.expected + 1e-3, rel=1e-4)
    assert result.error_ratio > 100


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("y = torch.zeros_like(y)", CaseStatus.WRONG_VALUE),
        (
            "y = (x.half() * self.weight.half() + self.bias.half()).relu().float()",
            CaseStatus.WRONG_VALUE,
        ),
        ("y = y.double()", CaseStatus.WRONG_DTYPE),
        ("y = y[:-1]", CaseStatus.WRONG_SHAPE),
        ("y = y.unsqueeze(0)", CaseStatus.WRONG_SHAPE),
        ("y = (y,)", CaseStatus.WRONG_TYPE),
        ("y = nn.Parameter(y)", CaseStatus.WRONG_TYPE),
        ("x.add_(1)", CaseStatus.INPUT_MUTATED),
        ("raise ValueError('no such size')", CaseStatus.REFUSED),
        ("z = torch.empty_like(y); z.view(-1)[:-1] = y.view(-1)[:-1]; y = z", CaseStatus.WRONG_NAN),
    ],
)
def test_a_planted_fault_has_its_status(scale, tmp_path, line, status):
    assert one(scale, planted(line), tmp_path).status is status


def test_a_swallowed_nan_is_found(scale, tmp_path):
    result = one(scale, planted("y = torch.nan_to_num(y, nan=0.0)"), tmp_path, "values_special")
    assert result.status is CaseStatus.WRONG_NAN
    assert result.expected != result.expected


def test_writing_beside_a_sliced_input_is_found(scale, tmp_path):
    line = "x.as_strided((1,), (1,), 0).fill_(7.0)"
    assert one(scale, planted(line), tmp_path, "layout_sliced").status is CaseStatus.INPUT_MUTATED


def test_a_result_that_is_right_only_once_is_found(scale, tmp_path):
    line = "y = y + 1 if getattr(self, 'seen', False) else y; self.seen = True"
    result = one(scale, planted(line), tmp_path)
    assert result.status is CaseStatus.WRONG_VALUE
    assert "second call" in result.message


def test_a_result_kept_by_address_is_found(scale, tmp_path):
    line = (
        "kept = self.__dict__.setdefault('kept', {})\n        y = kept.setdefault((x.data_ptr(), x.shape), y)"
    )
    result = one(scale, planted(line), tmp_path)
    assert result.status is CaseStatus.WRONG_VALUE
    assert "same addresses" in result.message


def test_ignored_parameters_show_although_their_initial_value_is_neutral(scale, tmp_path):
    line = "y = torch.relu(x)"
    assert one(scale, planted(line), tmp_path).status is CaseStatus.WRONG_VALUE


def test_a_case_that_a_trivial_result_passes_does_not_count(tmp_path):
    problem = read(DATA / "scale.py")
    text = problem.source.replace("torch.relu(x * self.weight + self.bias)", "torch.relu(x)")
    relu = Problem(path="relu.py", source=text)
    result = one((relu, capture(relu)), planted("return torch.relu(x)", at="# before"), tmp_path, "shrunk")
    assert result.status is CaseStatus.NON_DISCRIMINATING
    assert "input itself" in result.message


def test_a_live_module_is_a_reference_too(scale, tmp_path):
    payload = cloudpickle.dumps((torch.nn.Hardtanh(-0.5, 0.5), (torch.rand(512, 24),)))
    live = Problem(path="<module Hardtanh>", source="", payload=payload)
    text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clamp(-0.5, 0.5)\n"
    assert one((live, scale[1]), text, tmp_path).status is CaseStatus.PASSED


def test_a_missing_parameter_is_named(scale, tmp_path):
    end, _ = here(scale, RIGHT.replace("self.bias = ", "self.shift = "), tmp_path, "shrunk")
    assert end["end"] == "state"
    assert "'bias'" in end["message"]


def test_parameters_are_copied_by_name_not_drawn_again(scale, tmp_path):
    line = "nn.init.normal_(self.bias); nn.init.normal_(self.weight)"
    text = planted(line, at="# after construction")
    assert one(scale, text, tmp_path).status is CaseStatus.PASSED


def test_statistics_that_training_leaves_behind_are_compared(norm, tmp_path):
    text = (DATA / "norm_new.py").read_text()
    _, results = here(norm, text, tmp_path, "shrunk", "shrunk_eval")
    assert {r.status for r in results.values()} == {CaseStatus.WRONG_VALUE, CaseStatus.PASSED}
    assert results["shrunk"].output == "buffer norm.num_batches_tracked"
    counted = planted("n.num_batches_tracked += self.training", at="# before", text=text)
    _, results = here(norm, counted, tmp_path, "shrunk", "shrunk_eval")
    assert {r.status for r in results.values()} == {CaseStatus.PASSED}


def test_sizes_grow_until_the_reference_takes_them(scale, tmp_path):
    problem = scale[0]
    text = problem.source.replace("return torch", "assert x.shape[0] > 10, 'too small'\n        return torch")
    strict = Problem(path="strict.py", source=text)
    result = one((strict, scale[1]), RIGHT, tmp_path)
    assert result.status is CaseStatus.PASSED
    assert result.case.inputs[0].shape[0] > 10


def test_a_verdict_over_workers_survives_a_crash_and_an_endless_loop(scale):
    problem, captured = scale
    text = planted(
        "if x.shape[0] == 1: import ctypes; ctypes.string_at(0)\n        while x.shape[0] == 0: pass",
        at="# before",
    )
    some = chosen(captured, "shrunk", "x_dim0_is_1", "empty_x_dim0", "values_normal")
    build, verdict = verify(
        problem,
        Candidate(text),
        captured,
        terms="1",
        expects_launch=False,
        case_timeout_s=1,
        memory_bytes=MEMORY,
        chosen=some,
    )
    by_name = {r.case.name: r for r in verdict.cases}
    assert build.status is BuildStatus.OK
    assert by_name["x_dim0_is_1"].status is CaseStatus.CRASHED
    assert "segmentation fault" in by_name["x_dim0_is_1"].message
    assert by_name["empty_x_dim0"].status is CaseStatus.TIMEOUT
    assert by_name["shrunk"].status is CaseStatus.PASSED
    assert by_name["values_normal"].status is CaseStatus.PASSED
    assert verdict.status is VerdictStatus.FAILED
    assert "x_dim0_is_1" in verdict.reason


def run_all(subject: tuple[Problem, Capture], text: str, *names: str, **options: Any) -> Any:
    problem, captured = subject
    some = chosen(captured, *names)
    options = {"terms": "1", "expects_launch": False, "chosen": some} | options
    return verify(problem, Candidate(text), captured, **options)


def test_a_passed_verdict_states_its_rule(scale):
    seen: list[str] = []
    _, verdict = run_all(scale, RIGHT, "shrunk", on_case=lambda r: seen.append(r.case.name))
    assert verdict.status is VerdictStatus.PASSED
    assert "float64" in verdict.rule
    assert seen == ["shrunk"]


def test_an_empty_case_alone_proves_nothing(scale):
    _, verdict = run_all(scale, RIGHT, "empty_x_dim0")
    assert verdict.cases[0].status is CaseStatus.PASSED
    assert verdict.status is VerdictStatus.NOT_RUN
    assert "1 case without elements" in verdict.reason and "get_inputs" in verdict.reason


def test_a_file_that_cannot_be_imported_is_a_failed_build(scale):
    build, verdict = run_all(scale, "import no_such_module_at_all\n", "shrunk")
    assert build.status is BuildStatus.IMPORT_ERROR
    assert "no_such_module_at_all" in build.log
    assert verdict.status is VerdictStatus.NOT_RUN


def test_a_reference_that_cannot_be_built_is_the_users_error(scale):
    broken = Problem(path="broken.py", source=scale[0].source.replace("super().__init__()", "1 / 0"))
    with pytest.raises(ProblemError, match="ZeroDivisionError"):
        run_all((broken, scale[1]), RIGHT, "shrunk")
