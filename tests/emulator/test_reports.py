"""Public bug reports whose fault shows at run time, as small inputs of our own: each is told; six look-alikes are not.

docs/reports.md says which report is which, and which cannot be shown here.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
import torch

from cudasmith import emulator

REPORTS = Path(__file__).parent.parent / "data" / "reports"

FINDINGS = {
    32: "EM108",
    34: "EM101",  # in backward
    36: "EM101",
    38: "EM301",
    39: "EM301",
    40: "EM301",
    41: "EM301",
    42: "EM301",
    45: "EM203",
    47: "EM201",
    48: "EM402",
    81: "EM101",
}
WRONG = (31, 33, 44, 59, 63, 65, 66, 76, 77, 82, 83, 85)
REFUSED = {56: "Half", 58: "Int"}
LOOK_ALIKES = (94, 96, 97, 98, 99, 145)


def _load(number: int) -> dict[str, Any]:
    (path,) = REPORTS.glob(f"{number}_*.py")
    return runpy.run_path(str(path))


def _called(module: dict[str, Any], name: str, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """The output of the class, and the gradients of its sum where an input has one."""
    own = [x.detach().clone().requires_grad_(x.requires_grad) if x.requires_grad else x for x in inputs]
    out = module[name](*module["get_init_inputs"]())(*own)
    wanted = [x for x in own if x.requires_grad]
    return [out.detach(), *(torch.autograd.grad(out.sum(), wanted) if wanted else ())]


@pytest.mark.parametrize(("number", "code"), FINDINGS.items())
def test_the_fault_of_a_report_is_found(number: int, code: str) -> None:
    with emulator.installed(mode="checked", sampled_blocks=24 if number == 36 else 0):
        module = _load(number)
        inputs = module["get_inputs"]()
        try:
            _called(module, "ModelNew", inputs)
        except emulator.EmulatorFault as fault:
            assert fault.detected is not None
        assert {d.code for d in emulator.detected()} == {code}


def _equal(number: int) -> bool:
    with emulator.installed(mode="checked", devices=False):  # whoever ran them moved inputs and parameters
        module = _load(number)
        torch.manual_seed(0)
        inputs = module["get_inputs"]()
        ours = _called(module, "ModelNew", inputs)
        assert emulator.detected() == []
        assert emulator.coverage().launches > 0
    theirs = _called(module, "Model", inputs)
    # relative to the values alone: those of report 63 are far below the usual absolute tolerance
    return all(
        a.shape == b.shape
        and torch.allclose(a, b, rtol=1e-2, atol=1e-3 * float(b.abs().nanmean()), equal_nan=True)
        for a, b in zip(ours, theirs, strict=True)
    )


@pytest.mark.parametrize("number", WRONG)
def test_the_wrong_value_of_a_report_is_shown(number: int) -> None:
    assert not _equal(number)


@pytest.mark.parametrize("number", LOOK_ALIKES)
def test_a_look_alike_of_a_report_is_told_of_nothing(number: int) -> None:
    assert _equal(number)


@pytest.mark.parametrize(("number", "word"), REFUSED.items())
def test_a_report_of_another_type_is_refused(number: int, word: str) -> None:
    with emulator.installed(mode="checked"):
        module = _load(number)
        with pytest.raises(RuntimeError, match=word):
            _called(module, "ModelNew", module["get_inputs"]())


def test_the_written_input_of_a_report_is_shown() -> None:
    with emulator.installed(mode="checked"):
        module = _load(67)
        (x,) = module["get_inputs"]()
        before = x.clone()
        _called(module, "ModelNew", [x])
    assert not torch.equal(before, x)


def test_the_kept_result_of_a_report_is_shown() -> None:
    with emulator.installed(mode="checked"):
        module = _load(69)
        (x,) = module["get_inputs"]()
        model = module["ModelNew"]()
        first = model(x).clone()
        x += 1
        assert torch.equal(model(x), first)
        assert emulator.coverage().launches == 1
