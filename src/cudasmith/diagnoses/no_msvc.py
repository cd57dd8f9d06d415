"""DG839."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class NoMsvc(ToldLine):
    """On Windows, the build needs Microsoft's compiler `cl`, and it is not on PATH.

    It is there only in the command prompt of Visual Studio's tools, or after vcvars64.bat was called.

    Start from the "x64 Native Tools Command Prompt", with the C++ tools of Visual Studio installed; or build
    under Linux or WSL.
    """

    code = "DG839"
    name = "no-msvc"
    told = r"Error checking compiler version for cl\b|Command '\['where', 'cl'\]' returned non-zero|Cannot find compiler 'cl\.exe' in PATH"
    fact = "the compiler cl of Visual Studio is not on PATH"
    remedy = "start from the x64 Native Tools prompt, or build under Linux or WSL"
    CASES = (Case("public_no_cl"),)
