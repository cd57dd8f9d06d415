"""DG406."""

from __future__ import annotations

from cudasmith.diagnoses._compile import flag_span
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class LibraryNotFound(Diagnosis):
    """The linker was told to link a library that it does not find.

    -lNAME means a file libNAME.so or libNAME.a in one of the folders given with -L or the system's own.
    A wheel of NVIDIA's brings libNAME.so.12 only, without the plain name; libcuda lies in lib64/stubs of
    a toolkit; CUDA_HOME may point to a folder that is none.

    Find the file (find / -name 'libNAME.so*'), add its folder as -L/that/folder to extra_ldflags, and
    make the plain name by a link if only a numbered one exists. For -lcudart check CUDA_HOME first.
    """

    code = "DG406"
    name = "library-not-found"
    CASES = (Case("library_not_found", says="-lcublas", line=21),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(r"cannot find -l(?P<name>[\w.+-]+)", "ld")
        if found is None:
            return None
        said, m = found
        return Hit(
            f"the linker does not find lib{m['name']}.so (-l{m['name']})",
            said.at,
            f'find lib{m["name"]}.so and add its folder to extra_ldflags: "-L/that/folder"; for CUDA libraries check CUDA_HOME',
            span=flag_span(candidate, f"-l{m['name']}"),
        )
