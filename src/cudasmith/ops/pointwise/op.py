"""Pointwise: any chain of elementwise operators with broadcasting and type promotion, in one kernel.

The planner forms the chains (see `stages.plan`), since what joins a chain depends on its neighbours.
"""

from __future__ import annotations

from cudasmith.model import Graph, Kernel, Node, Tier
from cudasmith.ops import kernel_text
from cudasmith.ops._families import host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._unit import Match, OpCase, Refusal, Unit
from cudasmith.ops.pointwise.cases import CASES


class Pointwise(Unit):
    name = "pointwise"
    variants = {"minimal": "pointwise_thread_per_element", "fast": "pointwise_thread_per_packs"}

    def match(self, graph: Graph, node: Node) -> Match | Refusal | None:
        """Never: chains are formed by the planner."""
        return None

    def variant(self, graph: Graph, match: Match, tier: Tier) -> str:
        return self.variants[tier]

    def kernel(self, graph: Graph, match: Match, tier: Tier, fn: str, load: Load, store: Store) -> Kernel:
        params = host.unique_params(load.params, store.params)
        lines = [*host.opening(load), f"const auto out_sizes = c10::IntArrayRef({load.sizes}).vec();"]
        lines += [*host.allocate(load, store), "const int64_t n = out.numel();", "if (n == 0) return out;"]
        lines += _launch_fast(load, store) if tier == "fast" else _launch_minimal(load, store)
        lines += ["C10_CUDA_KERNEL_LAUNCH_CHECK();", "return out;"]
        text = host.signature("torch::Tensor", fn, params) + "\n" + host.body(lines)
        doc = "elementwise " + ", ".join(name for name in match.nodes)
        return Kernel(fn, kernel_text("pointwise", f"{tier}.cu"), text, params, "torch::Tensor", doc)

    def cases(self) -> tuple[OpCase, ...]:
        return CASES


def _launch_minimal(load: Load, store: Store) -> list[str]:
    return [
        "const int64_t blocks = (n + 255) / 256;",
        "pointwise_thread_per_element<<<blocks, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(",
        f"    {load.construct}, {store.construct}, n);",
    ]


def _launch_fast(load: Load, store: Store) -> list[str]:
    width = host.pack_elems(load, store)
    lines = [f"const {load.name} load{load.construct.removeprefix(load.name)};"]
    lines += [f"const {store.name} store{store.construct.removeprefix(store.name)};"]

    def launch(n: int) -> list[str]:
        return [
            f"const int64_t blocks = (n + {256 * n - 1}) / {256 * n};",
            f"pointwise_thread_per_packs<{n}, 1>",
            "    <<<blocks, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(load, store, n);",
        ]

    if host.aligned(load, store) == "true" or width == 1:
        return lines + launch(width)
    lines.append(f"if ({host.aligned(load, store)}) {{")
    lines += [f"  {line}" for line in launch(width)]
    return [*lines, "} else {", *(f"  {line}" for line in launch(1)), "}"]


UNIT = Pointwise()
__all__ = ["UNIT"]
