"""DG218."""

from __future__ import annotations

from cudasmith.diagnoses._compile import include_fix
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import unknown_name
from cudasmith.model import Candidate

_ALIASES = {
    "cg": "namespace cg = cooperative_groups;",
    "wmma": "using namespace nvcuda;",
    "py": "namespace py = pybind11;",
}


class UnknownNamespace(Diagnosis):
    """A namespace such as torch, at, cub or cooperative_groups is not known in this source.

    Its header is not included. load_inline includes torch's headers by itself unless `no_implicit_headers=True`; the others
    have to be included always. `cg`, `wmma` and `py` are short names that the source itself must declare.

    Include the header. For a short name, add its declaration, such as `namespace cg = cooperative_groups;`.
    """

    code = "DG218"
    name = "unknown-namespace"
    CASES = (
        Case("unknown_namespace_torch", says="torch", line=6),
        Case("cooperative_groups_missing", says="cooperative_groups", line=5),
        Case("gxx_torch_not_declared", says="torch", line=5),
        Case("cpp_needs_torch_header", says='"at"', line=5),
        Case("cub_without_header_in_cu", says="cub"),
        Case("wmma_without_header_in_cu", says="nvcuda"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "namespace" or unknown.header is None:
            return None
        name, header = unknown.name, unknown.header
        alias = f", and behind it: {_ALIASES[name]}" if name in _ALIASES else ""
        fix = include_fix(candidate, unknown.said, header) if not alias else None
        message = f'the namespace "{name}" is not known: its header is not included'
        return hit_at(unknown.said, message, f"write #include <{header}> at the top{alias}", fix=fix)
