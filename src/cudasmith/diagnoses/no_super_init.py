"""DG542."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NoSuperInit(RaisedError):
    """A layer or parameter was assigned before nn.Module's own __init__ had run.

    The class's __init__ does not call super().__init__(), or calls it too late.

    Make super().__init__() the first line of __init__.
    """

    code = "DG542"
    name = "no-super-init"
    types = r"AttributeError"
    pattern = r"^cannot assign (?P<what>module|parameters?) before Module\.__init__\(\) call"
    fact = "a {what} is assigned before super().__init__()"
    remedy = "make super().__init__() the first line of this class's __init__"
    CASES = (Case("run_no_super_init", says="super().__init__()", line=5),)
