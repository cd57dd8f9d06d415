"""Room: emulator. CUDA on the CPU: compiles load_inline sources with g++ or clang++ and runs the kernels.

Inside `installed()` a candidate file runs unchanged on a machine without a GPU. See CONTRIBUTING.md for what
this room may import.
"""

from cudasmith.emulator.errors import EmulatorBuildError, EmulatorFault, NoCompilerError
from cudasmith.emulator.extension import load_inline
from cudasmith.emulator.install import guarding, installed
from cudasmith.emulator.runtime import Launch, launches, reset
from cudasmith.emulator.targets import TARGETS, Target
from cudasmith.emulator.toolchain import Compiler, compiler

__all__ = [
    "TARGETS",
    "Compiler",
    "EmulatorBuildError",
    "EmulatorFault",
    "Launch",
    "NoCompilerError",
    "Target",
    "compiler",
    "guarding",
    "installed",
    "launches",
    "load_inline",
    "reset",
]
