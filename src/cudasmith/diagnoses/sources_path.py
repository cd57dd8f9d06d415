"""DG141."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError, call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import BuildCall


class SourcesPath(PythonError):
    """load_inline was given a Path as its source, and takes the text of the file.

    It puts its own lines into the list of texts that it gets, and a Path is neither a text nor a list.

    Write `Path("relu.cpp").read_text()`, or use `load(name=..., sources=["relu.cpp"])`, which takes files.
    """

    code = "DG141"
    name = "sources-path"
    type = "AttributeError|TypeError"
    told = r"^'(?P<kind>\w*Path)' object has no attribute 'insert'"
    within = "in load_inline"
    fact = "a source is a {kind}, and load_inline takes the text of the file"
    remedy = "write .read_text() behind the path, or use load(sources=[...]) for files"
    CASES = (Case("cpp_sources_path", says="PosixPath", line=4),)

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        given = [k for k in ("cpp_sources", "cuda_sources") if isinstance(build.keywords.get(k), ast.Call)]
        return given[0] if len(given) == 1 else ""

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        found = call_at(candidate, span)
        if found is None:
            return None
        model, build = found
        for node in map(build.keywords.get, ("cpp_sources", "cuda_sources")):
            if isinstance(node, ast.Call):
                text = ast.get_source_segment(model.source.text, node)
                return Fix(model.source.node_span(node), f"{text}.read_text()")
        return None
