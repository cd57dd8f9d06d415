"""The parts that every host function has in common, as text."""

from __future__ import annotations

from cudasmith.model import HostParam
from cudasmith.ops._families.access import Load, Store


def unique_params(*groups: tuple[HostParam, ...]) -> tuple[HostParam, ...]:
    """Parameters in order; a tensor that several functors read is passed once."""
    seen: dict[str, HostParam] = {}
    for group in groups:
        for param in group:
            seen.setdefault(param.name, param)
    return tuple(seen.values())


def signature(returns: str, fn: str, params: tuple[HostParam, ...]) -> str:
    """The first line of a host function's definition."""
    return f"{returns} {fn}({', '.join(f'{p.ctype} {p.name}' for p in params)}) {{"


def opening(load: Load) -> list[str]:
    """Checks of the main operand, then the device guard."""
    return [*load.checks, f"const c10::cuda::CUDAGuard guard({load.like}.device());"]


def allocate(load: Load, store: Store) -> list[str]:
    """`out`, given `out_sizes` in scope; returns at once when it is empty."""
    return [
        *store.checks,
        f"torch::Tensor out = torch::empty(out_sizes, {load.like}.options().dtype({store.dtype}));",
    ]


def allocate_as(load: Load, store: Store, sizes: str, *, named: bool = False) -> list[str]:
    """`out` with `sizes`, a list in braces; they are `out_sizes` where `named`, or where the store reads them."""
    if named or "out_sizes" in "".join((*store.checks, store.construct)):
        return [f"const std::vector<int64_t> out_sizes{sizes};", *allocate(load, store)]
    return [f"torch::Tensor out = torch::empty({sizes}, {load.like}.options().dtype({store.dtype}));"]


def pack_elems(load: Load, store: Store) -> int:
    """Elements moved by one access: as many as fit 16 bytes of the widest operand."""
    return max(1, 16 // max(load.element_bytes, store.element_bytes))


def aligned(load: Load, store: Store) -> str:
    """Host expression: every operand may be accessed 16 bytes at a time."""
    parts = [a for a in (load.aligned, store.aligned) if a != "true"]
    return " && ".join(parts) if parts else "true"


def body(lines: list[str]) -> str:
    """Indent the body and close the function."""
    return "\n".join([f"  {line}" if line and not line.startswith("#") else line for line in lines] + ["}"])
