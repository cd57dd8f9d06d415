"""DG411."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class OtherTorch(Diagnosis):
    """The extension wants a function of PyTorch that the installed PyTorch does not have.

    It was built with another version: PyTorch's C++ functions change from release to release, and a
    library built for one does not fit the next. A cached build, or a wheel for another torch, is the
    usual cause.

    Delete the build (the folder of this name in ~/.cache/torch_extensions, build/ and *.so) and build
    again with the torch that is installed; install such packages with --no-build-isolation.
    """

    code = "DG411"
    name = "other-torch"
    CASES = (
        Case("torch_symbol", says="c10::renamed_in_this_version(int)"),
        Case("public_other_torch", says="c10::detail::torchCheckFail"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "torch")
        if seen is None:
            return None
        return Hit(
            f"the installed torch has no {seen.name}: the extension was built for another version",
            seen.at,
            "delete the built library and build it again with the installed torch",
            span=None,
            notes=seen.notes,
        )
