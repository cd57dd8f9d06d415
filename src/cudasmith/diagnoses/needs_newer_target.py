"""DG304."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class NeedsNewerTarget(PtxasError):
    """An instruction needs a newer GPU architecture than one that the file is compiled for.

    Every entry of the list of architectures is compiled, and the oldest one fails. Asynchronous copies
    and bf16 tensor instructions begin with sm_80, bulk copies (TMA), clusters and fp8 with sm_89 or
    sm_90.

    Set TORCH_CUDA_ARCH_LIST to the card you have and drop older entries; or keep the instruction out of
    older targets with #if __CUDA_ARCH__ >= 800 and give them another path.
    """

    code = "DG304"
    name = "needs-newer-target"
    pattern = r"(?:Feature|Modifier|Instruction) '(?P<quoted>[^']+)' requires \.target (?P<target>sm_\d+\w?) or higher"
    fact = "{quoted} needs {target} or newer, and the file is compiled for an older GPU too"
    remedy = (
        "drop targets older than {target} from TORCH_CUDA_ARCH_LIST, or keep the instruction behind #if "
        "__CUDA_ARCH__"
    )
    CASES = (
        Case("ptxas_needs_newer_target", says="sm_80", line=7),
        Case("ptxas_needs_newer_target_tma", says="cp.async.bulk.commit_group", line=5),
    )
