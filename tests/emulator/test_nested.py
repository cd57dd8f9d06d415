"""An emulator within another one: at its end the outer one's settings hold again."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest
import torch

from cudasmith import emulator
from cudasmith.emulator.runtime import mode

THREADS = 8
CUDA = """
__global__ void last_kernel(int* last) { atomicExch(last, (int)threadIdx.x); }
torch::Tensor last(torch::Tensor at) { last_kernel<<<1, 8>>>(at.data_ptr<int>()); return at; }
"""


@pytest.fixture(scope="module")
def last() -> Callable[[], int]:
    """Which thread runs last; -1: none does."""
    module: types.ModuleType = emulator.load_inline(
        "nested", "torch::Tensor last(torch::Tensor at);", CUDA, functions=["last"]
    )
    return lambda: int(module.last(torch.full((), -1, dtype=torch.int32, device="cuda")))


def settings(last: Callable[[], int]) -> dict[str, Any]:
    """What can be seen of the settings."""
    return {
        "mode": mode(),
        "last": last(),
        "guarded": bool(torch.empty(1000, device="cuda").isnan().all()),
        "devices": not torch.ones(1).is_cuda,
        "capability": torch.cuda.get_device_capability(),
    }


OUTER = {"mode": "checked", "order": "reverse", "target": "t4"}
SEEN = {"mode": "checked", "last": 0, "guarded": True, "devices": True, "capability": (7, 5)}
INNER = (
    {"skip_kernels": True},
    {"guarded": False, "devices": False},
    {"mode": "checked", "skip_kernel": "last_kernel", "sampled_blocks": 1, "fail_fast": True},
)


@pytest.mark.parametrize("inner", INNER)
def test_an_inner_emulator_leaves_the_outer_one_as_it_was(inner: Any, last: Callable[[], int]) -> None:
    around = settings(last)
    with emulator.installed(**OUTER):  # type: ignore[arg-type]
        assert settings(last) == SEEN
        with emulator.installed(**inner):
            assert settings(last) != SEEN
        assert settings(last) == SEEN
        with pytest.raises(ZeroDivisionError), emulator.installed(**inner):
            raise ZeroDivisionError
        assert settings(last) == SEEN
    assert settings(last) == around


def test_options_that_are_refused_leave_it_as_it_was(last: Callable[[], int]) -> None:
    with emulator.installed(**OUTER):  # type: ignore[arg-type]
        for wrong in ({"target": "none such"}, {"order": "none such"}):
            with pytest.raises((KeyError, ValueError)), emulator.installed(**wrong):  # type: ignore[arg-type]
                pytest.fail("must not begin")
            assert settings(last) == SEEN


def test_guarding_changes_the_guard_alone(last: Callable[[], int]) -> None:
    with emulator.installed(guarded=False, skip_kernels=True):
        with emulator.guarding():
            assert settings(last)["guarded"] and last() == -1
        assert last() == -1
    with emulator.installed(**OUTER):  # type: ignore[arg-type]
        with emulator.guarding():
            assert settings(last) == SEEN
        assert settings(last) == SEEN


def test_findings_after_an_inner_emulator_are_still_the_outer_ones(last: Callable[[], int]) -> None:
    with emulator.installed(mode="checked"):
        with emulator.installed(), emulator.without_devices():
            assert last() == THREADS - 1
        racy = emulator.load_inline(
            "racy",
            "void racy(torch::Tensor x);",
            "__global__ void racy_kernel(float* x) { x[0] += threadIdx.x; }\n"
            "void racy(torch::Tensor x) { racy_kernel<<<1, 8>>>(x.data_ptr<float>()); }",
            functions=["racy"],
        )
        racy.racy(torch.zeros(1, device="cuda"))
        assert {one.name for one in emulator.detected()} == {"race on global memory"}
