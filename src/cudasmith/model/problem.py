"""Problem: the reference that a candidate must equal."""

from __future__ import annotations

import hashlib
from typing import Union

import attrs

Literal = Union[int, float, bool, str, None, tuple["Literal", ...]]  # noqa: UP007 - recursive


@attrs.frozen
class Problem:
    """A reference: a KernelBench-form file, or a live module sent by value.

    `source` is the file's text ("" for a live module). `payload` is a cloudpickle of
    `(module, example_inputs)` for a live module, else None. Reading a Problem runs no user code.
    """

    path: str  # for messages; "<module Name>" when live
    source: str
    payload: bytes | None = None
    class_name: str = "Model"
    seed: int = 0
    origin: str = ""  # for messages: the file of a live module's class, if known

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.source.encode() + (self.payload or b"")).hexdigest()
