"""Plan: which unit computes what, in order. And the text a unit gives for it."""

from __future__ import annotations

from typing import Literal

import attrs

from cudasmith.model.graph import Arg, Node, Ref, Value

Tier = Literal["minimal", "fast"]


@attrs.frozen
class HostParam:
    """One parameter of a host function: C++ type, name, and the argument the Python call passes."""

    ctype: str  # "torch::Tensor", "int64_t", "double", "bool"
    name: str
    arg: Arg


@attrs.frozen
class Kernel:
    """What a unit gives the emitter for one step. All text is CUDA C++ as it will stand in the file.

    `device`: chunks (struct, __device__ function, __global__ template), each standing alone, in order;
    equal chunks of several steps are emitted once. `host` is the whole definition of the host function
    `name`, whose parameters are `params` and whose result is `returns` ("torch::Tensor" or
    "std::tuple<torch::Tensor, torch::Tensor>").
    """

    name: str
    device: tuple[str, ...]
    host: str
    params: tuple[HostParam, ...]
    returns: str
    doc: str


@attrs.frozen
class Step:
    """One line of the new forward: our kernel, a PyTorch call, or arithmetic on sizes."""

    kind: Literal["kernel", "torch", "size"]
    outputs: tuple[str, ...]  # names it defines (kernel: one, or several for a tuple)
    nodes: tuple[str, ...]  # graph nodes it replaces
    unit: str | None = None  # "scan"
    variant: str | None = None  # "scan_block_per_row"
    tier: Tier | None = None
    kernel: Kernel | None = None
    node: Node | None = None  # kind torch/size: the call itself
    reason: str = ""  # torch: why no kernel
    terms: str = "1"  # longest chain of additions behind one output element, an expression over free sizes
    bytes: int = 0  # inputs + outputs once, at the problem's size
    flops: int = 0


@attrs.frozen
class GraphPlan:
    """The steps for one graph (train or eval)."""

    steps: tuple[Step, ...]
    output: Arg


@attrs.frozen
class Plan:
    """Steps for train and eval mode; `train is eval` in content when the graphs are the same."""

    train: GraphPlan
    eval: GraphPlan
    tier: Tier

    def steps(self) -> tuple[Step, ...]:
        """All steps of both modes; those of eval only when they differ."""
        if self.train == self.eval:
            return self.train.steps
        return self.train.steps + self.eval.steps

    def left_to_torch(self) -> tuple[Step, ...]:
        return tuple(s for s in self.steps() if s.kind == "torch")


__all__ = ["Arg", "GraphPlan", "HostParam", "Kernel", "Plan", "Ref", "Step", "Tier", "Value"]
