"""DG242."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'no instance of (?:overloaded function|function template) "(?P<edg>.*?)" matches the argument list'
    rf"|no matching function for call to {Q}(?P<gxx>.*?)\((?P<types>.*)\){Q}"
)
_SPECIAL = re.compile(r"atomic|__ldg|__shfl|dim3")


def _undeduced(candidate: Candidate | None, name: str) -> str:
    """A template parameter of a function that its parameters do not show, by the text of the file."""
    text = candidate.text if candidate is not None else ""
    head = re.search(
        rf"template\s*<(?P<own>[^<>]*)>[^;{{}}()]*\b{re.escape(name)}\s*\((?P<params>[^()]*)\)", text
    )
    for parameter in head["own"].split(",") if head else ():
        last = re.search(r"(\w+)\s*$", parameter.partition("=")[0])
        if last and head and "=" not in parameter and not re.search(rf"\b{last[1]}\b", head["params"]):
            return last[1]
    return ""


class NoMatchingFunction(Diagnosis):
    """None of the functions of that name takes the arguments that are given.

    The number of arguments differs, a type does not convert, or a template parameter is found to be two types at once, as
    in `max(x, 0.0)` with a float and a double. A template parameter that no argument shows has to be written.

    Give the arguments the same type (`0.0f`, `static_cast<T>(...)`), or name the template parameters: `f<float>(...)`.
    """

    code = "DG242"
    name = "no-matching-function"
    CASES = (
        Case("odd_filter_size_not_given", says="KS", line=25),
        Case("odd_two_norms", says="overloaded", line=23),
        Case("overloaded_function_bound", says="overloaded", line=8),
        Case("no_matching_function", says="lerp", line=9),
        Case("no_matching_template", says="pick", line=9),
        Case("template_not_deduced", says='"k"', line=7),
        Case("gxx_no_matching", says="max", line=6),
        Case("template_number_not_deduced", says="relu_kernel", line=18),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        name = m["edg"] or m["gxx"]
        if _SPECIAL.match(name):
            return None
        types = detail(log, said, r"argument types are: \((?P<types>.*)\)")
        given = types["types"] if types else m["types"] or ""
        message = f'no "{name}" takes ({given})'
        apart = [t.strip().removeprefix("const ") for t in given.split(",")]
        missing = _undeduced(candidate, name)
        bound = re.match(r"(?:\w+::)*\w*::?def$", name) is not None
        several = "unresolved overloaded function" in given or (bound and "<unknown-type>" in given)
        if several:
            message = (
                "the name that is bound is overloaded, and nothing says which of its functions is meant"
                if bound
                else message
            )
            help = "several functions have that name: write py::overload_cast<types>(&name), or static_cast<R (*)(types)>(&name)"
        elif missing and detail(log, said, "failed deduction|couldn.t deduce"):
            message = f'the template parameter {missing} of "{name}" is not given, and no argument shows it'
            help = f"write the template arguments; no argument of the call shows {missing}: {name}<..., {missing}>"
        elif len(set(apart)) > 1 and detail(log, said, r"failed deduction|deduced conflicting types"):
            help = f"give the arguments one type (static_cast, or 0.0f for 0.0), or write the type: {name}<{apart[0]}>(...)"
        elif detail(log, said, "failed deduction"):
            help = f"write the template arguments, which the call does not show: {name}<...>"
        elif detail(log, said, r"number of parameters|expects \d+ argument"):
            help = f"{name} has another number of parameters: compare the call with its definition"
        else:
            help = f"convert the arguments to the types of one of the functions named {name}"
        return hit_at(said, message, help)
