"""DG105."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText


class TabsAndBlanks(FaultyText):
    """One block is indented partly with tabs and partly with blanks.

    Both look alike in an editor, but Python cannot know how wide a tab is meant, so it refuses the mixture.

    Replace every tab at the beginning of lines by four blanks (`expand -t 4` does it for a whole file).
    """

    code = "DG105"
    name = "tabs-and-blanks"
    type = "TabError"
    told = r"inconsistent use of tabs and spaces"
    fact = "tabs and blanks are mixed in the indentation"
    remedy = "replace the tabs at the beginning of the lines by four blanks each"
    CASES = (Case("tab_error", line=7),)
