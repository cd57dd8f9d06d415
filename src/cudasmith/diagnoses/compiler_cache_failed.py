"""DG838."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CompilerCacheFailed(ToldLine):
    """ccache or sccache, which stands between the build and the compiler, failed.

    Newer versions of torch put it in front of every compiler when it is on PATH. It has a folder of its own, which may be
    full, unwritable, or made by another user.

    Set TORCH_NO_COMPILER_WRAPPER=1 to build without it, or CCACHE_DIR to a folder that this user may write to.
    """

    code = "DG838"
    name = "compiler-cache-failed"
    told = r"^(?P<tool>s?ccache): (?:error: (?P<what>.*)|(?P<caused>caused by: .*))"
    fact = "{tool} failed: {what}{caused}"
    remedy = "set TORCH_NO_COMPILER_WRAPPER=1, or let CCACHE_DIR (SCCACHE_DIR) name a folder that can be written to"
    CASES = (Case("public_ccache", says="Failed to create temporary file"),)
