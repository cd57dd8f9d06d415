"""DG416."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class TorchNotImported(RaisedError):
    """The module was loaded before torch, whose libraries it needs.

    An extension does not know where libc10.so and its fellows lie. After `import torch` they are in the
    process already; before it the loader looks in the system's folders and finds nothing.

    Write `import torch` above the import of the module.
    """

    code = "DG416"
    name = "torch-not-imported"
    types = r"ImportError|OSError"
    pattern = (
        r"lib(?:c10|torch|torch_cpu|torch_cuda|torch_python|c10_cuda)\.so: cannot open shared object file"
    )
    fact = "the module was imported before torch, and so it finds no libc10"
    remedy = "write `import torch` above this line"
    CASES = (Case("import_before_torch", says="before torch", line=1),)
