"""DG215."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._compile import own_errors
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._names import (
    NOT_EMULATED,
    WELL_KNOWN,
    foreign_name,
    own_names,
    space_of,
    unknown_name,
)
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_BUILTINS = (
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "INFINITY",
    "__syncthreads",
    "__syncwarp",
    "atomicAdd",
    "fmaxf",
    "fminf",
    "expf",
    "scalar_t",
)


def _close(name: str, own: set[str]) -> list[str]:
    """The known name that certainly is meant: one of the file, or of CUDA, with a letter more, less or displaced."""
    for names in (sorted(own), [*_BUILTINS, *WELL_KNOWN]):
        likely = [n for n in names if n != name and (sorted(n) == sorted(name) or len(name) > 4)]
        displaced = [n for n in likely if sorted(n) == sorted(name)]
        if found := displaced[:1] or difflib.get_close_matches(name, likely, 1, 0.85):
            return found
    return []


class UndefinedIdentifier(Diagnosis):
    """A name is used that is not declared at that place.

    It may be misspelt (CUDA writes threadIdx, blockIdx, blockDim), be declared in another function or inside a block that
    has ended, be defined further down, or be a macro whose definition was left out.

    Declare the name before its use, pass it as a parameter, or correct its spelling. In C++ the order of the text counts:
    put kernels and helpers above the functions that use them.
    """

    code = "DG215"
    name = "undefined-identifier"
    CASES = (
        Case("name_of_other_namespace", says="twice", line=9),
        Case("letters_displaced", says="rsqrft", line=6),
        Case("type_of_other_language", says="int32", line=6),
        Case("undefined_identifier", says='"N"', line=6),
        Case("wrong_case_builtin", says="threadidx", line=6),
        Case("missing_scope", says='"i"', line=7),
        Case("kernel_undeclared_later", says='"relu_kernel"', line=5),
        Case("missing_kernel_launch_template", says='"scalar_t"', line=6),
        Case("undeclared_macro", says='"CUDA_CHECK"', line=5),
        Case("numpy_inf", says='"INFINITY_F"', line=6),
        Case("launch_bounds_unknown", says='"N"', line=6),
        Case("loop_variable_after_loop", says='"j"', line=14),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        unknown = unknown_name(log)
        if unknown is None or unknown.kind != "other":
            return None
        said, name = unknown.said, unknown.name
        others = [m[1] for _, m in own_errors(log, r'identifier "(\w+)" is undefined$') if m[1] != name]
        notes = (f"also undefined: {', '.join(dict.fromkeys(others))}",) if others else ()
        place = spot(log, said, candidate)
        message = f'"{name}" is not declared here'
        span = place.word(name) if place is not None else None
        if place is not None and (space := space_of(place.region.text, name)) is not None:
            help = f"it stands in the namespace {space}: write {space}::{name}"
            return hit_at(said, message, help, notes=notes, span=span)
        if (meant := foreign_name(name)) is not None:
            return hit_at(said, message, meant, notes=notes, span=span)
        close = _close(name, own_names(place.region.text) if place is not None else set())
        if close:
            fix = Fix(span, close[0]) if span is not None else None
            return hit_at(said, message, f"write {close[0]}", notes=notes, span=span, fix=fix)
        if said.text.startswith("the emulator does not have"):
            help = f"correct the name if it is misspelt; if CUDA has {name}, {NOT_EMULATED}"
            return hit_at(said, message, help, span=span, confidence="low", notes=(said.text, *notes))
        if name == "scalar_t":
            help = "scalar_t exists only inside AT_DISPATCH_...: write the launch in its lambda, or the type itself"
        elif place is not None and re.search(
            rf"\b(?:void|auto|\w+_t|float|int)\s+{name}\s*\(", place.region.text[place.end :]
        ):
            help = f"{name} is defined further down: move it above this line, or declare it there"
        else:
            help = f"declare {name} before this line, pass it as a parameter, or correct its spelling"
            if like := difflib.get_close_matches(name, [*WELL_KNOWN, *_BUILTINS], 1, 0.7):
                help += f"; was {like[0]} meant?"
        return hit_at(said, message, help, notes=notes, span=span)
