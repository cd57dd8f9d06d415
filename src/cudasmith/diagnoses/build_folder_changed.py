"""DG842."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class BuildFolderChanged(ToldLine):
    """ninja does not find what it should build from.

    The folder was emptied or moved while its plan, build.ninja, stayed; or another process is clearing it.

    Delete the whole folder of the extension and build again; give each process its own folder.
    """

    code = "DG842"
    name = "build-folder-changed"
    told = r"^ninja: error: (?:'(?P<path>[^']+)', needed by '[^']+', missing and no known rule to make it|loading 'build\.ninja': (?P<what>.*))"
    fact = "ninja does not find {path}{what}"
    remedy = "delete the folder of the extension and build again"
    CASES = (
        Case("ninja_no_source", says="main.cpp"),
        Case("ninja_no_file"),
    )
