"""Capture from outside: user code cannot hurt, flood or outlast this process."""

from __future__ import annotations

import pytest

from cudasmith.model import Capture, ProblemError
from cudasmith.stages.capture import capture
from cudasmith.stages.read import from_source

HEAD = """\
import ctypes, sys, warnings
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        {forward}
def get_inputs():
    return [{inputs}]
"""
GB = 1 << 30


def run(forward: str, inputs: str = "torch.rand(4, 4)", **limits: float) -> Capture:
    return capture(from_source(HEAD.format(forward=forward, inputs=inputs), "m.py"), **limits)  # type: ignore[arg-type]


def test_four_gigabytes_of_input_fit_in_one(capfd: pytest.CaptureFixture[str]) -> None:
    found = run(
        "print('noise'); warnings.warn('more'); return x.relu()", "torch.rand(1 << 30)", memory_bytes=GB
    )
    assert found.train.inputs[0].shape == (1 << 30,)
    assert capfd.readouterr() == ("", "")


def test_an_error_of_the_user_comes_back_as_one() -> None:
    with pytest.raises(ProblemError) as caught:
        run("return x.nothing")
    assert (caught.value.code, caught.value.where) == ("CSP026", "m.py:5")
    assert caught.value.message.startswith("forward raised AttributeError")


def test_an_endless_loop_is_stopped_at_its_line() -> None:
    with pytest.raises(ProblemError) as caught:
        run("while True: pass", timeout_s=20)  # a busy machine takes seconds to build the model
    assert caught.value.code == "CSP030"
    assert (
        caught.value.help is not None
        and "endless loop? " in caught.value.help
        and "--timeout" in caught.value.help
    )


def test_a_slow_start_up_does_not_blame_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudasmith.workers.run.STARTUP_S", 0.2)
    monkeypatch.setattr("cudasmith.workers.run.start_warm", lambda *a: None)
    with pytest.raises(ProblemError) as caught:
        run("return x", timeout_s=60)
    error = caught.value
    assert error.code == "CSP030" and error.message.startswith(
        "start-up (importing torch) took more than 0 s"
    )
    assert error.help is not None and "loop" not in error.help


def test_too_much_memory_is_stopped() -> None:
    with pytest.raises(ProblemError) as caught:
        run("return x", "torch.from_numpy(__import__('numpy').ones(1 << 28))", memory_bytes=GB)
    assert (caught.value.code, caught.value.where) == ("CSP031", "m.py:7")
    assert "1.0 GB" in caught.value.message


def test_a_segfault_names_the_line() -> None:
    with pytest.raises(ProblemError) as caught:
        run("return ctypes.string_at(0)")
    assert (caught.value.code, caught.value.where) == ("CSP032", "m.py:5")
    assert caught.value.help
    assert "segmentation fault" in caught.value.message
