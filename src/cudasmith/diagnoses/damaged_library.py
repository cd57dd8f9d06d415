"""DG415."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class DamagedLibrary(RaisedError):
    """The file that should be the built module is not a whole library: it is cut short, empty, or something
    else under that name.

    A build that was stopped while it wrote, a full disk, two processes that wrote one file, or a file
    copied as text or downloaded as a page leave such a thing, and the next run takes it as built.

    Delete the file and its folder and build again. If several processes build the same module, give each
    its own TORCH_EXTENSIONS_DIR or let one build first.
    """

    code = "DG415"
    name = "damaged-library"
    types = r"ImportError|OSError"
    pattern = r"(?P<file>[^\s:]+\.so[\w.]*): (?P<why>file too short|invalid ELF header|ELF file's phentsize not the expected size|cannot read file data)"
    fact = "{file} is no whole library: {why}"
    remedy = "delete {file} with its folder and build it again"
    CASES = (
        Case("import_cut_short", says="short_ops.so is no whole library: file too short", line=3),
        Case("import_no_library", says="invalid ELF header", line=3),
    )
