"""Room: emulator. CUDA on the CPU: compiles load_inline sources with g++ or clang++ and runs the kernels.

Inside `installed()` a candidate file runs unchanged on a machine without a GPU. See CONTRIBUTING.md for what
this room may import.
"""

from cudasmith.emulator.detected import Coverage, Detected, Place, check_outputs, coverage, detected, warned
from cudasmith.emulator.devices import put_on_device
from cudasmith.emulator.errors import EmulatorBuildError, EmulatorFault
from cudasmith.emulator.extension import load_inline
from cudasmith.emulator.install import guarding, installed, rebound, without_devices
from cudasmith.emulator.runtime import Launch, launches, reset
from cudasmith.emulator.targets import TARGETS, Target

__all__ = [
    "TARGETS",
    "Coverage",
    "Detected",
    "EmulatorBuildError",
    "EmulatorFault",
    "Launch",
    "Place",
    "Target",
    "check_outputs",
    "coverage",
    "detected",
    "guarding",
    "installed",
    "launches",
    "load_inline",
    "put_on_device",
    "rebound",
    "reset",
    "warned",
    "without_devices",
]
