"""Calls of ModelNew: the one that is looked at, and the control in which no kernel runs."""

from __future__ import annotations

from typing import Any

import attrs
import torch

from cudasmith import emulator
from cudasmith.model import CaseResult, CaseStatus
from cudasmith.stages._emulate.inputs import Task
from cudasmith.stages._verify.execute import case_result, discriminating, judged_call, limited
from cudasmith.stages._verify.inputs import copy_args, overwrite
from cudasmith.stages._verify.judge import Judgement
from cudasmith.stages._verify.outputs import Leaf, leaves
from cudasmith.stages._verify.reference import Answer, buffers, run
from cudasmith.stages._verify.subjects import State


@attrs.frozen
class Called:
    """What forward returned, and the arguments as it left them."""

    output: Any
    args: list[Any]

    def tensors(self) -> list[Leaf]:
        """The results in memory; also an argument that forward writes to may be one."""
        return [leaf for leaf in leaves(self.output) if isinstance(leaf.value, torch.Tensor)]


def call(
    model: torch.nn.Module, state: State, task: Task, timeout_s: float, *, used: list[Any] | None = None
) -> Called:
    """One forward on copies of the arguments. `used`: their memory in an earlier call, to be filled again.

    Raises: what it raises.
    """
    if used is None:
        used = copy_args(task.args)
        for tensor in used:
            if isinstance(tensor, torch.Tensor):
                emulator.put_on_device(tensor)  # as a benchmark does with what get_inputs makes
    else:
        overwrite(used, task.args)
    with limited(timeout_s):
        return Called(run(model, state, task.case, used), used)


def compared(model: torch.nn.Module, task: Task, called: Called, launches: int) -> CaseResult | None:
    """The outputs against the reference by verify's rule; None without a reference."""
    wanted = task.wanted
    if wanted is None:
        return None
    after = buffers(model) if task.case.training else {}
    judged = judged_call(wanted, task.args, called.args, called.output, after)
    if judged.status is CaseStatus.PASSED:
        judged = _told(judged, wanted, task.args)
    return case_result(task.case, judged, wanted, launches)


def _told(judged: Judgement, wanted: Answer, args: list[Any]) -> Judgement:
    if not wanted.target.elements():
        return attrs.evolve(judged, message="no elements: only structure, shape and dtype were compared")
    return discriminating(judged, wanted, args)
