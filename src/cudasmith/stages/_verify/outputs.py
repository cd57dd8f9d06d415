"""What forward returns, flattened: tensors by their place, and the structure around them."""

from __future__ import annotations

from typing import Any

import attrs
import torch


@attrs.frozen
class Leaf:
    """One tensor (or other value) inside an output: "0", "1.indices", "" for a bare tensor."""

    path: str
    value: Any


def leaves(output: Any, path: str = "") -> list[Leaf]:
    """All leaves in order."""
    if isinstance(output, dict):
        return [leaf for k in output for leaf in leaves(output[k], _join(path, str(k)))]
    if isinstance(output, (tuple, list)):
        return [leaf for i, v in enumerate(output) for leaf in leaves(v, _join(path, str(i)))]
    return [Leaf(path, output)]


def structure(output: Any) -> str:
    """The containers in words: "tuple(tensor, list(tensor))". A named tuple is a tuple."""
    if isinstance(output, torch.Tensor):
        return "tensor"
    if isinstance(output, dict):
        return f"dict({', '.join(f'{k}: {structure(v)}' for k, v in output.items())})"
    if isinstance(output, (tuple, list)):
        kind = "list" if isinstance(output, list) else "tuple"
        return f"{kind}({', '.join(structure(v) for v in output)})"
    return type(output).__name__


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
