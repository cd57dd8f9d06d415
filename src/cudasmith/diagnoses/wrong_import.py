"""DG115."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span

_RIGHT = "from torch.utils.cpp_extension import load_inline"


class WrongImport(PythonError):
    """torch has no module, or no name, as the file imports it.

    load_inline lives in torch.utils.cpp_extension, in the singular. Other names moved or vanished between versions of torch, or
    never existed.

    Write the import as the documentation of the installed version has it; `import torch.utils.cpp_extension` makes
    the module itself reachable, `import torch` alone does not.
    """

    code = "DG115"
    name = "wrong-import"
    type = "ImportError|ModuleNotFoundError|AttributeError"
    told = (
        r"^(?:cannot import name '(?P<name>\w+)' from '(?P<module>torch[\w.]*)'"
        r"|No module named '(?P<missing>torch\.[\w.]+)'|module '(?P<parent>torch\.utils)' has no attribute 'cpp_extension')"
    )
    fact = "torch has no {module}{missing}{parent} {name} as it is used here"
    remedy = "load_inline is imported by `from torch.utils.cpp_extension import load_inline`"
    CASES = (
        Case("import_not_there", says="load_inline", line=2),
        Case("import_no_module", says="torch.utils.cpp_extensions", line=2),
        Case("cpp_extension_attribute", line=4),
    )

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        text = candidate.text.split("\n")[span.line - 1].strip()
        return Fix(span, _RIGHT) if re.fullmatch(r"from torch[\w.]* import load_inline", text) else None
