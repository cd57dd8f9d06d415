"""cudasmith: PyTorch model in, one verified file with custom CUDA operators out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["CudasmithError", "Port", "__version__", "diagnose", "load", "port"]

if TYPE_CHECKING:
    from cudasmith.api import Port, diagnose, load, port
    from cudasmith.model import CudasmithError


def __getattr__(name: str) -> Any:
    """`port`, `Port`, `diagnose`, `load` and `CudasmithError` on first use, so that importing the package costs nothing."""
    if name in ("port", "Port", "diagnose", "load"):
        from cudasmith import api

        return getattr(api, name)
    if name == "CudasmithError":
        from cudasmith.model import CudasmithError

        return CudasmithError
    raise AttributeError(f"module 'cudasmith' has no attribute {name!r}")
