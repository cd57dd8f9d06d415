"""DG114."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file

IMPORTS = {
    "load_inline": "from torch.utils.cpp_extension import load_inline",
    "cpp_extension": "from torch.utils import cpp_extension",
    "torch": "import torch",
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
    "os": "import os",
    "np": "import numpy as np",
    "Optional": "from typing import Optional",
    "Tuple": "from typing import Tuple",
    "List": "from typing import List",
}


class MissingImport(PythonError):
    """A well-known name is used, and the file never imports it.

    load_inline, nn and F are no part of Python: each needs its line of import. Code that is put together from several
    answers loses such lines easily.

    Add the import at the top of the file.
    """

    code = "DG114"
    name = "missing-import"
    hides = ("DG116",)
    type = "NameError"
    told = rf"^name '(?P<name>{'|'.join(IMPORTS)})' is not defined"
    fact = "{name} is used and never imported"
    remedy = "add its import at the top of the file: {name} comes with torch or with Python"
    CASES = (
        Case("load_inline_not_imported", says="load_inline", line=4),
        Case("torch_alias_missing", says="nn", line=4),
    )

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        imports = [n for n in parse_file(candidate).tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        if not imports:
            return None
        after = (imports[-1].end_lineno or imports[-1].lineno) + 1
        if any(n.lineno >= span.line for n in imports):
            return None  # the use stands before an import: look by eye
        return Fix(Span(after, 1, after, 1), IMPORTS[match["name"]] + "\n")
