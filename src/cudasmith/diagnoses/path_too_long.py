"""DG828."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class PathTooLong(ToldLine):
    """The name of a file or folder is longer than the system allows.

    The extension's name becomes a folder and a file, and 255 bytes is the most for one part of a path. Names that
    are made of whole descriptions, or of hashes strung together, grow beyond.

    Give a short `name`; sixteen digits of a hash are enough to tell sources apart.
    """

    code = "DG828"
    name = "path-too-long"
    told = r"\[Errno 36\] File name too long|: File name too long"
    fact = "the extension's name, or the path of its folder, is too long for the system"
    remedy = "give load_inline a shorter name, or set TORCH_EXTENSIONS_DIR to a shorter path"
    CASES = (Case("name_too_long"),)
