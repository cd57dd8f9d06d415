"""Planted faults are reported with their kind and place, and the process goes on."""

from __future__ import annotations

import types

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType


def _fault(call: object, *args: object) -> emulator.EmulatorFault:
    with pytest.raises(emulator.EmulatorFault) as caught:
        call(*args)  # type: ignore[operator]
    return caught.value


def test_read_past_the_end_names_kernel_block_and_thread(faulty: Module) -> None:
    finding = _fault(faulty.read_past, torch.ones(100 - 4), torch.ones(200)).finding
    assert finding.code == "EM101"
    assert finding.message == "out-of-bounds read: 0 bytes past the end of a tensor of 384 bytes"
    assert finding.notes[0].startswith("kernel read_one_more, launched in line ")
    assert finding.notes[1] == "block (1, 0, 0), thread (32, 0, 0)"


def test_write_past_the_end_is_caught(faulty: Module) -> None:
    finding = _fault(faulty.write_past, torch.ones(64), torch.ones(64)).finding
    assert finding.code == "EM101"
    assert finding.message == "out-of-bounds write: 0 bytes past the end of a tensor of 256 bytes"
    assert finding.notes[1] == "block (1, 0, 0), thread (0, 0, 0)"


def test_write_into_the_alignment_gap_is_caught_after_the_launch(faulty: Module) -> None:
    finding = _fault(faulty.write_past, torch.ones(63), torch.ones(63)).finding
    assert (finding.code, finding.message) == ("EM102", "wrote just past the end of a tensor of 252 bytes")


def test_write_past_a_shared_array_is_caught(faulty: Module) -> None:
    finding = _fault(faulty.shared_past, torch.ones(64)).finding
    assert finding.message == "out-of-bounds write: 0 bytes past the end of a shared array of 256 bytes"


def test_null_pointer_and_division_by_zero_are_caught(faulty: Module) -> None:
    assert "null pointer" in _fault(faulty.null_write).finding.message
    assert _fault(faulty.division, torch.ones(1).int(), 0).finding.code == "EM103"


def test_return_before_a_barrier_is_reported_with_counts(faulty: Module) -> None:
    finding = _fault(faulty.early_return, torch.ones(64), 40).finding
    assert finding.code == "EM201"
    assert finding.message.startswith("barrier divergence: 40 threads wait at the __syncthreads() of line ")
    assert finding.message.endswith(", 24 threads exited")
    faulty.early_return(torch.ones(64), 64)


def test_exited_threads_may_pass_barriers_on_request(faulty: Module) -> None:
    y = torch.zeros(64)
    with emulator.installed(exited_threads_pass_barriers=True):
        faulty.early_return(y, 40)
    assert y.sum().item() == 40


def test_two_different_barriers_are_reported(faulty: Module) -> None:
    message = _fault(faulty.divergent, torch.ones(64)).finding.message
    assert "10 threads wait at" in message
    assert "54 threads wait at" in message


def test_shuffle_that_names_an_exited_lane_is_reported(faulty: Module) -> None:
    finding = _fault(faulty.shuffle, torch.ones(32)).finding
    assert finding.code == "EM202"
    assert "with mask 0xffffffff names 16 lane(s) that exited" in finding.message


def test_memory_that_nobody_wrote_is_nan(faulty: Module) -> None:
    y = faulty.half_written(torch.ones(64), 40)
    assert torch.isnan(y).nonzero().view(-1).tolist() == list(range(40, 64))
    faulty.unset_shared(y)
    assert torch.isnan(y).nonzero().view(-1).tolist() == [0, *range(2, 64)]


@pytest.mark.parametrize("shape", [(1, 1, 1025, 1), (1, 65536, 1, 1), (0, 1, 32, 1), (1, 1, 64, 32)])
def test_launch_limits_fail_at_the_check(correct: Module, shape: tuple[int, ...]) -> None:
    for check in (True, False):
        fault = _fault(correct.launch, *shape, check)
        assert fault.finding.code == "EM301"
        assert str(fault).startswith("CUDA error: invalid configuration argument")
    assert emulator.launches() == []
    correct.launch(1, 65535, 1, 1, True)


def test_a_fault_in_one_launch_leaves_the_next_one_intact(faulty: Module, correct: Module) -> None:
    for _ in range(20):
        _fault(faulty.write_past, torch.ones(64), torch.ones(64))
        x = torch.ones(2, 300)
        assert correct.row_sum(x).tolist() == [300.0, 300.0]
