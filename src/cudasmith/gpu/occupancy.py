"""Occupancy: how many warps of a kernel a multiprocessor holds at once, from what ptxas says.

The limits are those of the CUDA programming guide's table of compute capabilities.
"""

from __future__ import annotations

import attrs

from cudasmith.model import KernelResources

WARP = 32
REGISTERS = 65536  # per multiprocessor, on every GPU since 5.0
REGISTER_UNIT = 256  # registers of a warp are given out in these
SHARED_UNIT = 128
RESERVED_BYTES = 1024  # of shared memory per block, for the system, from 8.0 on


@attrs.frozen
class Limits:
    """Of one multiprocessor."""

    warps: int
    blocks: int
    shared_bytes: int


LIMITS = {
    "sm_70": Limits(64, 32, 96 << 10),
    "sm_75": Limits(32, 16, 64 << 10),
    "sm_80": Limits(64, 32, 164 << 10),
    "sm_86": Limits(48, 16, 100 << 10),
    "sm_87": Limits(48, 16, 164 << 10),
    "sm_89": Limits(48, 24, 100 << 10),
    "sm_90": Limits(64, 32, 228 << 10),
    "sm_100": Limits(64, 32, 228 << 10),
    "sm_120": Limits(48, 32, 100 << 10),
}


def occupancy(kernel: KernelResources, threads: int) -> float | None:
    """Warps at work over warps possible, from 0 to 1, for blocks of `threads`; None for an unknown architecture.

    0 means that such a block cannot be launched. Dynamic shared memory is not known here and counts as none.
    """
    limits = LIMITS.get(kernel.arch.rstrip("af"))
    if limits is None:
        return None
    warps = -(-threads // WARP)
    per_warp = -(-kernel.registers * WARP // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = REGISTERS // (per_warp * warps) if per_warp else limits.blocks
    shared = kernel.shared_bytes + (RESERVED_BYTES if int(kernel.arch[3:].rstrip("af")) >= 80 else 0)
    shared = -(-shared // SHARED_UNIT) * SHARED_UNIT
    by_shared = limits.shared_bytes // shared if shared else limits.blocks
    blocks = min(limits.blocks, limits.warps // warps, by_registers, by_shared)
    return blocks * warps / limits.warps
