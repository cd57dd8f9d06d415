"""DG405."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._libraries import library_help
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class LibraryNotLinked(Diagnosis):
    """The module calls a function of one of CUDA's libraries, and that library was not linked to it.

    A header only declares cublas, cudnn, curand, cufft, nvrtc or driver functions; the code is in a
    library of its own. PyTorch links just the CUDA runtime to an extension. A shared library may have
    such holes, so the build succeeds and the import fails.

    Name the library in extra_ldflags, as -lcublas, -lcudnn, -lcurand or, for functions that begin with
    cu and a capital, -lcuda. Or use PyTorch's own call (at::mm, at::conv2d), which has them linked
    already.
    """

    code = "DG405"
    name = "library-not-linked"
    CASES = (
        Case("library_not_linked", says="cuInit is called and libcuda"),
        Case("library_blas", says="libcublas"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "library")
        if seen is None:
            return None
        return Hit(
            f"{seen.symbol} is called and lib{seen.library} is not linked",
            seen.at,
            library_help(seen.library),
            span=None,
            notes=seen.notes,
        )
