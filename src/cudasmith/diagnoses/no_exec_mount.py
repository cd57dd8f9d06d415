"""DG821."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class NoExecMount(ToldLine):
    """The library was built and may not be run where it lies.

    Its disk is mounted with `noexec`, as /tmp and shared homes are on some machines: files there can be read, but
    no code can be mapped from them. SELinux can forbid the same.

    Set TORCH_EXTENSIONS_DIR to a folder on another disk.
    """

    code = "DG821"
    name = "no-exec-mount"
    told = r"(?:(?P<path>/\S+\.so[\w.]*): )?failed to map segment from shared object"
    fact = "code may not be loaded from where the library lies: {path}"
    remedy = "set TORCH_EXTENSIONS_DIR to a folder on a disk that is not mounted with noexec"
    CASES = (Case("noexec", says="noexec.so"),)
