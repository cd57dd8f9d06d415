"""DG267."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, flag_span
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(rf"Unsupported gpu architecture {Q}(?P<arch>.*?){Q}")


class UnsupportedArchitecture(Diagnosis):
    """nvcc does not know the GPU architecture it is told to build for.

    Each toolkit supports a range: CUDA 13 begins at 7.5 (Turing) and dropped Maxwell, Pascal and Volta; an older toolkit does
    not know newer GPUs (9.0 since 11.8, 10.0 and 12.0 since 12.8). The architecture comes from the flags, from
    `--arch` of `cudasmith build`, from TORCH_CUDA_ARCH_LIST, or from the GPU found.

    Name your GPU: `--arch sm_90`, or TORCH_CUDA_ARCH_LIST="9.0" for torch's own build; delete own `-arch` or `-gencode` flags. For a GPU older than the toolkit supports, use an older toolkit with a torch built for it.
    """

    code = "DG267"
    name = "unsupported-architecture"
    CASES = (
        Case("arch_dropped_by_nvcc13", says="compute_70"),
        Case("nvcc_arch_flag", says="compute_70", line=13),
        Case("old_arch_flag", says="compute_70", line=13),
        Case("nvcc_missing_value", says="has no value"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID, "nvcc")
        if found is None:
            return None
        said, arch = found[0], found[1]["arch"]
        if arch.startswith("-"):
            return Hit(
                "the flag -arch or -gencode has no value",
                said.at,
                f"nvcc took {arch} for it: delete the flag",
            )
        number = re.sub(r"\D", "", arch)
        span = flag_span(candidate, arch)
        message = f"this nvcc does not build for {arch}"
        if number and int(number) < 75:
            help = "name a newer one where it was named: --arch, the flags or TORCH_CUDA_ARCH_LIST; CUDA 13 begins at 7.5 (sm_75)"
        else:
            help = (
                "correct it where it was named: --arch, the flags or TORCH_CUDA_ARCH_LIST; "
                "a GPU newer than the toolkit needs a newer toolkit"
            )
        return Hit(message, said.at, help, span=span)
