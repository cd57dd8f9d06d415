"""DG402."""

from __future__ import annotations

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import Binding
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region


class NoInitFunction(Diagnosis):
    """The library was built, but it is no Python module of the expected name.

    Python looks for a function PyInit_NAME in the library; PYBIND11_MODULE makes it. It is missing when there is no
    PYBIND11_MODULE and no `functions=` argument, or when the module's name is written out and differs from the
    `name` given to load_inline.

    Write `PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(...); }` once, after the host functions. load_inline
    defines TORCH_EXTENSION_NAME, so the names always agree.
    """

    code = "DG402"
    name = "no-init-function"
    CASES = (
        Case("missing_pybind_module", says="PyInit_"),
        Case("macro_name_mismatch", says="PYBIND11_MODULE names it my_kernels", line=12),
        Case("import_renamed", says="PyInit_renamed_ops", line=3),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("ImportError", r"does not define module export function \((PyInit_\w+)\)")
        if found is None:
            return None
        raised, match = found
        named = _named(candidate)
        if named is not None:
            region, binding = named
            span = region.span(binding.module_start, binding.module_end)
            return hit_raised(
                raised,
                f"the library has no {match[1]}: its PYBIND11_MODULE names it {binding.module}",
                f"write TORCH_EXTENSION_NAME in place of {binding.module}",
                span=span,
                fix=Fix(span, "TORCH_EXTENSION_NAME") if span is not None else None,
            )
        return hit_raised(
            raised,
            f"the library has no {match[1]}: it is no Python module of that name",
            "write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... } once, after the host functions",
            span=None
            if candidate is None or parse_file(candidate).builds
            else user_frame(log, raised.at, candidate),
        )


def _named(candidate: Candidate | None) -> tuple[Region, Binding] | None:
    """The only binding of the file, where it has a name of its own."""
    builds = parse_file(candidate).builds if candidate is not None else ()
    found = [(r, b) for build in builds for r in build.regions() for b in symbols(r.text).bindings]
    return found[0] if len(found) == 1 and found[0][1].module != "TORCH_EXTENSION_NAME" else None
