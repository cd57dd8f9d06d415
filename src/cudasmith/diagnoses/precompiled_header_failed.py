"""DG827."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class PrecompiledHeaderFailed(ToldLine):
    """torch tried to compile its main header in advance, as use_pch=True asks, and failed.

    It compiles torch/extension.h with the flags of the call, and writes the result beside the header, into the
    installation of torch. A flag that the compiler refuses, or an installation that may not be written to, ends it.

    Leave use_pch out: it saves time in main.cpp only, none in CUDA code. Otherwise repair the flag that the compiler names above.
    """

    code = "DG827"
    name = "precompiled-header-failed"
    told = r"^RuntimeError: Compile PreCompile Header fail"
    fact = "torch could not compile its header in advance (use_pch=True)"
    remedy = "leave use_pch=True out, or repair the flag that the compiler refuses"
    CASES = (Case("pch_failed"),)
