"""DG121."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError, call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import BuildCall

KEYWORDS = (
    "name",
    "cpp_sources",
    "cuda_sources",
    "functions",
    "extra_cflags",
    "extra_cuda_cflags",
    "extra_ldflags",
    "extra_include_paths",
    "build_directory",
    "verbose",
    "with_cuda",
    "is_python_module",
    "with_pytorch_error_handling",
    "keep_intermediates",
    "use_pch",
    "no_implicit_headers",
)
_SYNONYMS = {"extra_nvcc_flags": "extra_cuda_cflags", "extra_nvcc_cflags": "extra_cuda_cflags"}


class LoadInlineKeyword(PythonError):
    """load_inline was given an argument that it does not know, or one argument twice.

    Its flags are called extra_cflags, extra_cuda_cflags and extra_ldflags. `sources` belongs to load(), `include_dirs` and
    `extra_compile_args` to CUDAExtension. use_pch and no_implicit_headers came with later versions of torch. An argument is
    there twice when it was given by its place and by its name.

    Use the name that load_inline has.
    """

    code = "DG121"
    name = "load-inline-keyword"
    type = "TypeError"
    told = r"^load_inline\(\) got (?:an unexpected keyword argument '(?P<word>\w+)'|multiple values for argument '(?P<twice>\w+)')"
    fact = "load_inline takes no argument {word}{twice} here"
    remedy = f"its arguments are {', '.join(KEYWORDS)}; each may be given once"
    CASES = (
        Case("keyword_cuda_flags", says="extra_cuda_flags", line=8),
        Case("keyword_twice", says="name", line=4),
        Case("keyword_singular", says="cuda_source", line=20),
    )

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        return match["word"] or match["twice"]

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        found, word = call_at(candidate, span), match["word"]
        near = (
            [_SYNONYMS[word]] if word in _SYNONYMS else difflib.get_close_matches(word or "", KEYWORDS, n=1)
        )
        given = [k for k in found[1].call.keywords if k.arg == word] if found else []
        if not near or len(given) != 1 or (found and near[0] in found[1].keywords):
            return None
        line, column = given[0].lineno, given[0].col_offset + 1
        return Fix(Span(line, column, line, column + len(word)), near[0])
