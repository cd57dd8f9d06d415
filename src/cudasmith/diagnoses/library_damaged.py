"""DG832."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class LibraryDamaged(ToldLine):
    """The file of the extension is no whole library.

    Its build was interrupted, the disk was full, or two processes wrote it at once. ninja looks at dates only, takes
    the damaged file for up to date, and so it is loaded again and again.

    Delete the folder of the extension and build again; give every process that builds its own folder.
    """

    code = "DG832"
    name = "library-damaged"
    told = r"(?P<path>/\S+\.so[\w.]*): (?P<what>file too short|invalid ELF header|cannot read file data|ELF load command .*|wrong ELF class.*)"
    fact = "{path} is no whole library: {what}"
    remedy = "delete the folder that holds {path} and build again"
    CASES = (
        Case("import_cut_short"),
        Case("import_no_library"),
        Case("cut_library", says="cut_library.so"),
        Case("file_too_short", says="file too short"),
        Case("invalid_elf", says="invalid ELF header"),
    )
