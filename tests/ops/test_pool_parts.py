"""Which adaptive pools are shared between lanes, and what their text then holds."""

from __future__ import annotations

import pytest

from cudasmith.model import Arg, Graph, Ref, Step
from cudasmith.stages.plan import plan
from graphs import captured, graph, node, value


def _adaptive(*sizes: Arg) -> Graph:
    x, out = value("x", "s0", "s1", "12", "20"), value("y", "s0", "s1", *map(str, sizes))
    return graph((x,), (node("y", "aten.adaptive_avg_pool2d.default", Ref("x"), sizes, out=out),))


def _step(g: Graph, tier: str) -> Step:
    (step,) = plan(captured(g), tier).eval.steps  # type: ignore[arg-type]
    return step


@pytest.mark.parametrize(
    ("tier", "variant"),
    [("fast", "adaptive_pool_lanes_per_output"), ("minimal", "adaptive_pool_thread_per_output")],
)
def test_each_tier_names_and_launches_one_adaptive_kernel(tier: str, variant: str) -> None:
    step = _step(_adaptive(3, 5), tier)
    assert step.variant == variant
    assert step.kernel is not None
    kernels = [chunk for chunk in step.kernel.device if "__global__" in chunk]
    assert [variant in chunk for chunk in kernels] == [True]
    assert variant in step.kernel.host


def test_a_pool_over_whole_planes_takes_each_as_one_row() -> None:
    step = _step(_adaptive(1, 1), "fast")
    assert step.kernel is not None
    assert "{1, 1, x.size(2) * x.size(3)}" in step.kernel.host


def test_parts_of_a_plane_keep_its_rows() -> None:
    step = _step(_adaptive(1, 5), "fast")
    assert step.kernel is not None
    assert "{1, x.size(2), x.size(3)}" in step.kernel.host
