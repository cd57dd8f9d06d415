"""DG848."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class BuildRace(ToldLine):
    """Two processes made the same build folder at the same time.

    Every rank of a parallel run, or every worker of a pool, builds the extension when it starts, and all choose the same folder.

    Build on one rank first and let the others wait for it (a barrier), then load; or give each its own folder.
    """

    code = "DG848"
    name = "build-race"
    told = (
        r"^FileExistsError: \[Errno 17\] File exists: '(?P<path>[^']*(?:torch_extensions|/build|/ext)[^']*)'"
    )
    fact = "another process made {path} at the same moment"
    remedy = "build on one process first, or give each its own TORCH_EXTENSIONS_DIR"
    CASES = (Case("public_file_exists"),)
