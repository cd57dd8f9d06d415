"""What every operator unit is: a folder with `op.py` that defines `UNIT`, an instance of a Unit subclass."""

from __future__ import annotations

import abc
from typing import Any

import attrs

from cudasmith.model import Graph, Kernel, Node, Tier, Value
from cudasmith.ops._families.access import Load, Store


@attrs.frozen
class Match:
    """A unit takes the node `root`, and with it the whole of `nodes`.

    `main` is the tensor whose elements the kernel reads through its Load functor (a pointwise producer
    may be folded in there); `others` are read by name (weight, bias). `outputs` are the names defined
    later nodes may read, first the one written through the Store functor. `foldable_*` say whether the
    planner may fold pointwise work. `attrs` is the unit's own data.
    """

    root: str
    nodes: tuple[str, ...]
    main: str
    output: Value
    outputs: tuple[str, ...]
    others: tuple[str, ...] = ()
    foldable_load: bool = False
    foldable_store: bool = True
    terms: str = "1"  # additions behind one output element, an expression over free sizes
    flops: int = 0
    attrs: dict[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Refusal:
    """The node is this unit's business, but it has no kernel for this form of it."""

    reason: str


@attrs.frozen
class OpCase:
    """One small reference file in KernelBench form, named for its danger, and which tiers to try it in."""

    name: str
    source: str
    tiers: tuple[Tier, ...] = ("minimal", "fast")


class Unit(abc.ABC):
    """One operator family. `kernel` must be deterministic: same match, same text."""

    name: str
    variants: dict[Tier, str]  # tier -> what it is, for `cudasmith ops` and the report

    @abc.abstractmethod
    def match(self, graph: Graph, node: Node) -> Match | Refusal | None:
        """Match the pattern that ENDS in `node`; None when the node is none of this unit's business.

        Interior nodes of a pattern must have no users outside it (use `_families.patterns.only_used_by`).
        """

    def variant(self, graph: Graph, match: Match, tier: Tier) -> str:
        """Name of the kernel used: the `__global__` function's name, which ends in its mapping."""
        raise NotImplementedError

    @abc.abstractmethod
    def kernel(self, graph: Graph, match: Match, tier: Tier, fn: str, load: Load, store: Store) -> Kernel:
        """The CUDA text of one step. `fn` is the unique name of the host function to define.

        `load`/`store` are functors already written; the kernel reads its main tensor only through
        `load` and writes its first output only through `store`.
        """

    @abc.abstractmethod
    def cases(self) -> tuple[OpCase, ...]:
        """Small references that cover this unit's dangers, run by one generic test in both tiers."""
