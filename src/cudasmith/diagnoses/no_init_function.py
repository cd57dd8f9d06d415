"""DG402."""

from __future__ import annotations

import re

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import Binding
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import line_span, user_frame
from cudasmith.diagnoses._log import Log, Raised
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import BuildCall, Region


class NoInitFunction(Diagnosis):
    """The library was built, but it is no Python module of the expected name.

    Python looks for a function PyInit_NAME in the library; PYBIND11_MODULE makes it. It is missing when there is no
    PYBIND11_MODULE and no `functions=` argument, or when the module's name is written out and differs from the
    `name` given to load_inline.

    Give load_inline `functions=["f"]` with the host functions that Python calls, declared in cpp_sources. Or write
    `PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(...); }` once, after the host functions: load_inline defines TORCH_EXTENSION_NAME, so the names always agree.
    """

    code = "DG402"
    name = "no-init-function"
    CASES = (
        Case(
            "missing_pybind_module",
            says="binds no function: it has no functions= and no PYBIND11_MODULE",
            line=14,
        ),
        Case("functions_not_given", says="binds no function", line=9),
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
        if (call := _unbound(candidate, match[1].removeprefix("PyInit_"))) is not None:
            return _without_functions(raised, match[1], candidate, call)
        return hit_raised(
            raised,
            f"the library has no {match[1]}: it is no Python module of that name",
            "write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... } once, after the host functions",
            span=None
            if candidate is None or parse_file(candidate).builds
            else user_frame(log, raised.at, candidate),
        )


def _unbound(candidate: Candidate | None, name: str) -> BuildCall | None:
    """The call of that module, if it certainly binds nothing."""
    builds = parse_file(candidate).builds if candidate is not None else ()
    found = [
        b for b in builds if b.name is not None and re.fullmatch(rf"{re.escape(b.name)}(?:_v\d+)?", name)
    ]
    if len(found) != 1 or found[0].unresolved or "functions" in found[0].keywords:
        return None
    bound = any(symbols(region.text).bindings or "PyInit_" in region.text for region in found[0].regions())
    return None if bound else found[0]


def _without_functions(raised: Raised, symbol: str, candidate: Candidate | None, call: BuildCall) -> Hit:
    """At the call, with the argument that names the file's host functions."""
    assert candidate is not None
    names = _host_functions(call)
    listed = "[" + ", ".join(f'"{name}"' for name in names) + "]" if names else "[...]"
    last = max(
        (*call.call.args, *(k.value for k in call.call.keywords)), key=lambda n: (n.lineno, n.col_offset)
    )
    end = parse_file(candidate).source.node_span(last)
    at = (end.end_line or end.line, end.end_column or end.column)
    return hit_raised(
        raised,
        f"load_inline binds no function: it has no functions= and no PYBIND11_MODULE, so there is no {symbol}",
        f"give it functions={listed}, each declared in cpp_sources"
        + ("" if names else " (the host functions that Python calls)"),
        span=line_span(candidate, call.span.line),
        fix=Fix(Span(*at, *at), f", functions={listed}") if names else None,
    )


def _host_functions(call: BuildCall) -> tuple[str, ...]:
    """Names of the functions with a body that Python could call."""
    return tuple(
        dict.fromkeys(
            f.name
            for region in call.regions()
            for f in symbols(region.text).functions
            if f.is_definition and not (f.is_kernel or f.is_device or f.internal or f.template or f.namespace)
        )
    )


def _named(candidate: Candidate | None) -> tuple[Region, Binding] | None:
    """The only binding of the file, where it has a name of its own."""
    builds = parse_file(candidate).builds if candidate is not None else ()
    found = [(r, b) for build in builds for r in build.regions() for b in symbols(r.text).bindings]
    return found[0] if len(found) == 1 and found[0][1].module != "TORCH_EXTENSION_NAME" else None
