"""Text of another language than Python: CUDA or C++ that was named in a Python file's place."""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import PurePath

SUFFIXES = frozenset({".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp"})
_PASSED_OVER = re.compile(
    r"(?:\s+|//[^\n]*|/\*.*?\*/|#\s*(?:pragma|define|if|ifdef|ifndef)\b[^\n]*)*", re.DOTALL
)
_BEGINS = re.compile(
    r"#\s*include\s*[<\"]|(?:template\s*<[^;{]*>\s*)?(?:static\s+|extern\s+\"C\"\s+)?__(?:global|device|host)__\s"
    r"|using\s+namespace\s+\w|extern\s+\"C\""
)


def is_cuda_text(text: str, name: str) -> bool:
    """Whether a text that Python cannot read is CUDA or C++: by its name, or by how it plainly begins."""
    start = _PASSED_OVER.match(text)
    begins = _BEGINS.match(text, start.end() if start else 0) is not None
    return (begins or PurePath(name).suffix.lower() in SUFFIXES) and not _is_python(text)


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
