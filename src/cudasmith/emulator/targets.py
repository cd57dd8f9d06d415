"""The GPUs that the emulator can stand for. Figures: NVIDIA's data sheets and the CUDA programming guide."""

from __future__ import annotations

import attrs

KB = 1024
MB = KB * KB
GB = MB * KB


@attrs.frozen
class Target:
    """One GPU as kernels and host code see it. Registers and timing are not modelled."""

    name: str
    capability: tuple[int, int]
    sms: int
    threads_per_sm: int
    blocks_per_sm: int
    shared_per_sm: int
    shared_per_block: int  # what cudaFuncSetAttribute may raise a kernel's dynamic shared memory to
    reserved_shared: int  # of each block, by the system
    l2_bytes: int
    bus_bits: int
    clock_khz: int
    memory_clock_khz: int
    memory_bytes: int

    def numbers(self) -> tuple[int, ...]:
        """In the order of the runtime's DeviceModel, without the memory."""
        return (*self.capability, *attrs.astuple(self)[2:-1])


TARGETS = {
    "h200": Target(
        name="NVIDIA H200",
        capability=(9, 0),
        sms=132,
        threads_per_sm=2048,
        blocks_per_sm=32,
        shared_per_sm=228 * KB,
        shared_per_block=227 * KB,
        reserved_shared=KB,
        l2_bytes=60 * MB,
        bus_bits=6144,
        clock_khz=1_980_000,
        memory_clock_khz=3_201_000,
        memory_bytes=150_754_820_096,
    ),
    "a100": Target(
        name="NVIDIA A100-SXM4-80GB",
        capability=(8, 0),
        sms=108,
        threads_per_sm=2048,
        blocks_per_sm=32,
        shared_per_sm=164 * KB,
        shared_per_block=163 * KB,
        reserved_shared=KB,
        l2_bytes=40 * MB,
        bus_bits=5120,
        clock_khz=1_410_000,
        memory_clock_khz=1_593_000,
        memory_bytes=80 * GB,
    ),
    "rtx4090": Target(
        name="NVIDIA GeForce RTX 4090",
        capability=(8, 9),
        sms=128,
        threads_per_sm=1536,
        blocks_per_sm=24,
        shared_per_sm=100 * KB,
        shared_per_block=99 * KB,
        reserved_shared=KB,
        l2_bytes=72 * MB,
        bus_bits=384,
        clock_khz=2_520_000,
        memory_clock_khz=10_501_000,
        memory_bytes=24 * GB,
    ),
    "t4": Target(
        name="Tesla T4",
        capability=(7, 5),
        sms=40,
        threads_per_sm=1024,
        blocks_per_sm=16,
        shared_per_sm=64 * KB,
        shared_per_block=64 * KB,
        reserved_shared=0,
        l2_bytes=4 * MB,
        bus_bits=256,
        clock_khz=1_590_000,
        memory_clock_khz=5_001_000,
        memory_bytes=16 * GB,
    ),
}
