"""Room: ops. One folder is one operator unit; found by walking, no central list."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

from cudasmith.ops._unit import Match, OpCase, Refusal, Unit


@functools.cache
def units() -> tuple[Unit, ...]:
    """Every unit, sorted by folder name."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg and not m.name.startswith("_"))
    return tuple(importlib.import_module(f"{__name__}.{name}.op").UNIT for name in names)


def unit(name: str) -> Unit:
    """The unit called `name`."""
    return next(u for u in units() if u.name == name)


def kernel_text(folder: str, file: str) -> tuple[str, ...]:
    """The chunks of one kernel file: what follows each line `// ---- chunk`. Text before the first
    such line (includes that let the file compile alone) is not emitted."""
    text = (Path(__file__).parent / folder / file).read_text()
    return tuple(chunk.strip("\n") for chunk in text.split("// ---- chunk\n")[1:])


__all__ = ["Match", "OpCase", "Refusal", "Unit", "kernel_text", "unit", "units"]
