"""DG314."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class PtxVersionUnsupported(PtxasError):
    """The assembler is older than the compiler that wrote the PTX text.

    Two CUDA toolkits are mixed: one ptxas is found through PATH, the compiler through CUDA_HOME, or a
    package such as Triton brings its own. PTX carries a version that an older ptxas refuses.

    Let all tools come from one toolkit: compare `which nvcc ptxas` with CUDA_HOME, and set PATH and
    CUDA_HOME to the same folder; for Triton set TRITON_PTXAS_PATH.
    """

    code = "DG314"
    name = "ptx-version-unsupported"
    pattern = r"Unsupported \.version (?P<have>[\d.]+); current version is '(?P<most>[\d.]+)'"
    fact = "the PTX has version {have}, and this ptxas knows at most {most}"
    remedy = "let nvcc and ptxas come from the same toolkit: compare `which -a nvcc ptxas` with CUDA_HOME"
    CASES = (Case("ptxas_version", says="99.0"), Case("ptxas_older", says="9.9"))
