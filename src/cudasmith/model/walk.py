"""Classes found by walking a package: one file each, no central list."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TypeVar

T = TypeVar("T")


def instances(package: str, base: type[T]) -> list[T]:
    """One instance of every class of `base` that a module of the package defines; modules named _x are helpers."""
    found: list[T] = []
    for place in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if place.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package}.{place.name}")
        own = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
        found += [v() for v in own if issubclass(v, base)]
    return found
