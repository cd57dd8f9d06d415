"""Calls of ModelNew: the one that is looked at, and the control in which no kernel runs."""

from __future__ import annotations

from typing import Any

import attrs
import torch

from cudasmith.model import CaseResult, CaseStatus
from cudasmith.stages._emulate.inputs import Task
from cudasmith.stages._verify.execute import limited
from cudasmith.stages._verify.inputs import changed, copy_args, overwrite
from cudasmith.stages._verify.judge import Judgement, judge, own_ratio, trivially_passes
from cudasmith.stages._verify.outputs import Leaf, leaves
from cudasmith.stages._verify.reference import buffers, run
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
    judged = judge(wanted.target, called.output, after)
    if not wanted.mutates and (position := changed(task.args, called.args)) is not None:
        judged = Judgement(CaseStatus.INPUT_MUTATED, message=f"forward wrote to its argument {position}")
    elif judged.status is CaseStatus.PASSED:
        judged = _told(judged, task)
    worst = judged.difference
    return CaseResult(
        task.case,
        judged.status,
        error_ratio=worst.ratio,
        max_abs_error=worst.max_abs,
        torch_ratio=own_ratio(wanted.target) if worst.ratio is not None else None,
        output=judged.output,
        worst_index=worst.index,
        got=worst.got,
        expected=worst.expected,
        launches=launches,
        message="; ".join(m for m in (judged.message, wanted.note) if m),
    )


def _told(judged: Judgement, task: Task) -> Judgement:
    """A pass, unless a trivial result would have passed too."""
    assert task.wanted is not None
    if not task.wanted.target.elements():
        return attrs.evolve(judged, message="no elements: only structure, shape and dtype were compared")
    if (name := trivially_passes(task.wanted.target, task.args)) is not None:
        return attrs.evolve(judged, status=CaseStatus.NON_DISCRIMINATING, message=f"{name} would pass too")
    return judged
