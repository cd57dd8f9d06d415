"""A call of a bound function that pybind11 refused: which argument did not fit which parameter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from cudasmith.diagnoses._log import Log

Kind = Literal[
    "keyword",
    "missing",
    "surplus",
    "swapped",
    "none",
    "numpy",
    "list",
    "float for int",
    "text",
    "tensor for number",
    "no caster",
    "other",
]

_HEAD = re.compile(
    r"^(?P<function>[\w.]+)\(\): incompatible (?:function|constructor) arguments\. The following argument types"
)
_OVERLOAD = re.compile(r"^\s+\d+\. \w*\((?P<params>.*)\)(?: -> .*)?$")
_INVOKED = re.compile(r"^Invoked with:\s?(?P<args>.*)$")
_KEYWORD = re.compile(r"^(?P<name>[A-Za-z_]\w*)\s?=\s?(?P<value>.*)$", re.DOTALL)
_MOST_LINES = 5000  # of arguments: a printed tensor of 1000 elements has some 200, and there are several


@attrs.frozen
class Parameter:
    """One parameter as pybind11 prints it."""

    name: str
    type: str
    default: bool = False

    @property
    def wants(self) -> str:
        """What fits: tensor, float, int, bool, str, list, or "type" for one that pybind11 does not know by name."""
        for pattern, kind in _WANTS:
            if re.search(pattern, self.type):
                return kind
        return "type"


_WANTS = (
    (r"^(typing\.)?(Optional|Union)\[|\| None\b", "any"),
    (r"^(collections\.abc\.|typing\.)?(Sequence|Iterable|[Ll]ist|[Tt]uple|[Dd]ict)\b", "list"),
    (r"^(torch|at)\.?:{0,2}Tensor$", "tensor"),
    (r"^(typing\.)?SupportsFloat\b|^float$", "float"),
    (r"^(typing\.)?SupportsInt\b|^int$", "int"),
    (r"^bool$", "bool"),
    (r"^str$", "str"),
)
_GIVEN = (
    (r"^None$", "none"),
    (r"^(True|False)$", "bool"),
    (r"^tensor\(-?[\w.+-]+(, [^\[]*)?\)$", "number tensor"),
    (r"^(Parameter containing:\s*)?tensor\(", "tensor"),
    (r"^array\(", "numpy"),
    (r"^[\[(]", "list"),
    (r"^['\"]", "str"),
    (r"^-?\d+$", "int"),
    (r"^-?(\d+\.\d*(e[+-]?\d+)?|\d+e[+-]?\d+|inf|nan)$", "float"),
)
_FITS = {
    "tensor": {"tensor", "number tensor"},
    "float": {"float", "int", "bool", "number tensor"},
    "int": {"int", "bool", "number tensor"},
    "bool": {"bool"},
    "str": {"str"},
    "list": {"list", "tensor", "numpy"},
}


@attrs.frozen
class Refused:
    """A refused call and the first thing that is wrong with it."""

    kind: Kind
    at: int
    function: str
    params: tuple[Parameter, ...]
    given: tuple[str, ...]  # positional arguments, as Python prints them
    names: tuple[str, ...] = ()  # of the keywords or parameters concerned
    param: Parameter | None = None
    value: str = ""  # the argument concerned, shortened

    @property
    def place(self) -> str:
        """The parameter concerned, in words."""
        assert self.param is not None
        if not re.fullmatch(r"arg\d+", self.param.name):
            return f'"{self.param.name}"'
        return f"number {self.params.index(self.param) + 1}"


def refused(log: Log, *kinds: Kind) -> Refused | None:
    """The last refused call of the log, if it was refused for one of `kinds`."""
    found = log.exception("TypeError", _HEAD)
    if found is None:
        return None
    raised, match = found
    args = _invoked(log.lines[raised.at : raised.at + _MOST_LINES])
    overloads = [m["params"] for line in raised.text.split("\n")[1:] if (m := _OVERLOAD.match(line))]
    if args is None or not overloads:
        return None
    given, keywords = args
    tried = [
        _explain(raised.at, match["function"], tuple(_parameters(o)), given, keywords) for o in overloads
    ]
    best = min(tried, key=lambda r: r.kind in ("missing", "surplus"))
    return best if best.kind in kinds else None


def _explain(
    at: int, function: str, params: tuple[Parameter, ...], given: tuple[str, ...], keywords: Mapping[str, str]
) -> Refused:
    def found(
        kind: Kind, names: Sequence[str] = (), param: Parameter | None = None, value: str = ""
    ) -> Refused:
        return Refused(kind, at, function, params, given, tuple(names), param, short(value))

    known = {p.name for p in params}
    if unknown := [k for k in keywords if k not in known]:
        return found("keyword", unknown)
    if len(given) > len(params):
        return found("surplus")
    pairs = [
        *zip(params, given, strict=False),
        *((p, keywords[p.name]) for p in params if p.name in keywords),
    ]
    wrong = [(p, v) for p, v in pairs if not _fits(p, v)]
    open_ = [p.name for p in params[len(given) :] if p.name not in keywords and not p.default]
    if open_:
        return found("missing", open_)
    if len(wrong) > 1 and _fit_in_other_order(wrong):
        return found("swapped", [p.name for p, _ in wrong])
    for param, value in wrong:
        return found(_kind(param.wants, _sort(value)), (), param, value)
    foreign = next((p for p in params if p.wants == "tensor" or "::" in p.type), None)
    return found("no caster", (), foreign) if foreign is not None and "::" in foreign.type else found("other")


def _kind(wants: str, given: str) -> Kind:
    if given == "none":
        return "none"
    if given == "numpy":
        return "numpy"
    if given == "list" and wants == "tensor":
        return "list"
    if wants == "int" and given == "float":
        return "float for int"
    if wants in ("int", "float") and given == "str":
        return "text"
    if wants in ("int", "float", "bool") and given == "tensor":
        return "tensor for number"
    return "other"


def _fits(param: Parameter, value: str) -> bool:
    wants = _FITS.get(param.wants)
    given = _sort(value)
    return wants is None or given == "other" or given in wants


def _fit_in_other_order(wrong: Sequence[tuple[Parameter, str]]) -> bool:
    free = [v for _, v in wrong]
    for param, _ in wrong:
        fitting = next((v for v in free if _fits(param, v)), None)
        if fitting is None:
            return False
        free.remove(fitting)
    return True


def _sort(value: str) -> str:
    return next((kind for pattern, kind in _GIVEN if re.search(pattern, value)), "other")


def _parameters(text: str) -> list[Parameter]:
    found = []
    for part in split(text):
        name, colon, rest = part.partition(": ")
        if not colon:  # the markers "*" and "/"
            continue
        kind, equals, _ = rest.partition(" = ")
        found.append(Parameter(name.strip(), kind.strip(), bool(equals)))
    return found


def _invoked(lines: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]] | None:
    """Positional and keyword arguments after "Invoked with:", which may go over several lines."""
    for i, line in enumerate(lines):
        if m := _INVOKED.match(line):
            taken, depth = [m["args"]], _depth(m["args"])
            for more in lines[i + 1 :]:
                if depth <= 0 and not taken[-1].endswith("Parameter containing:"):
                    break
                taken.append(more)
                depth += _depth(more)
            if depth > 0:
                return None  # the log was cut: what else was given is unknown
            text = "\n".join(taken)
            plain, marked, named = text.partition("kwargs: ")
            pairs = [m for part in split(named) if (m := _KEYWORD.match(part))] if marked else []
            return tuple(split(plain.rstrip().rstrip(";"))), {p["name"]: p["value"] for p in pairs}
    return None


def _depth(text: str) -> int:
    return sum(text.count(c) for c in "([{") - sum(text.count(c) for c in ")]}")


def split(text: str) -> list[str]:
    """Parts between commas outside brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote and text[i - 1] != "\\" else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def short(value: str, most: int = 40) -> str:
    """One line of an argument."""
    line = " ".join(value.split())
    return line if len(line) <= most else line[: most - 3] + "..."
