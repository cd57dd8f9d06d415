"""CS204."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cudasmith.cuda.symbols import Function, normal_type
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit

_DECLARATION = 'cpp_sources=["torch::Tensor scale(torch::Tensor x, double by);"],'
_DEFINITION = "torch::Tensor scale(torch::Tensor x, double by) {"


def _declared(text: str, definition: str = _DEFINITION) -> str:
    return edit((_DECLARATION, f'cpp_sources=["{text}"],  # HERE'), (_DEFINITION, definition), text=DECLARED)


def _silent(text: str, definition: str = _DEFINITION) -> str:
    return _declared(text, definition).replace("  # HERE", "")


class SameSignature(Rule):
    """A function declared in cpp_sources is defined in cuda_sources with the same signature.

    The two sources are compiled apart and meet only in the linker, which tells functions apart by
    namespace and parameter types: by value and by reference, int and int64_t, float and double are
    different. The extension then builds and its import fails with "undefined symbol". A definition
    that is static, inline or in a namespace without a name is not seen from the other source at all. A
    return type that differs links, and is read as what it is not. Names of parameters, const of a
    parameter by value and at::Tensor for torch::Tensor make no difference.
    """

    code = "CS204"
    name = "same-signature"
    answers = "one-binding"
    severity = severities("error", "error")
    BAD = (
        _declared("torch::Tensor scale(const torch::Tensor& x, double by);"),
        _declared("torch::Tensor scale(torch::Tensor x, float by);"),
        _declared("void scale(torch::Tensor x, double by);"),
        _declared("torch::Tensor scale(torch::Tensor x);"),
        _declared("torch::Tensor scale(torch::Tensor x, double by);", "static " + _DEFINITION),
        _declared("torch::Tensor scale(torch::Tensor x, double by);", "inline " + _DEFINITION),
        edit(
            (_DECLARATION, _DECLARATION + "  # HERE"),
            (_DEFINITION, "namespace mine {\n" + _DEFINITION),
            ("  return out;\n}\n", "  return out;\n}\n}\n"),
            text=DECLARED,
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        _silent("at::Tensor scale(at::Tensor input, const double);"),
        _silent(
            "torch::Tensor scale(torch::Tensor const & x, int64_t by);",
            "at::Tensor scale(const torch::Tensor &x, long by) {",
        ),
        _silent(
            "using T = torch::Tensor; T unused(T x, int n); torch::Tensor scale(torch::Tensor x, double by);"
        ),
        _silent("auto scale(torch::Tensor x, double by) -> torch::Tensor;"),
        edit(
            (BINDING, "torch::Tensor scale(torch::Tensor x, float by) { return scale(x, double(by)); }\n"),
            ("cpp_sources=[],", _DECLARATION),
            ("cuda_sources=[cuda_src],", 'cuda_sources=[cuda_src],\n                functions=["scale"],'),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            if unit.cpp is None or unit.cuda is None:
                continue
            used = _used(unit, unit.cpp)
            for declaration in unit.cpp.symbols.functions:
                own = unit.cpp.symbols.defined(declaration.name) is not None
                if declaration.name in used and not declaration.is_definition and not own:
                    yield from self._one(subject, unit.cpp, unit.cuda, declaration)

    def _one(self, subject: Subject, cpp: Part, cuda: Part, declaration: Function) -> Verdicts:
        candidates = [f for f in cuda.symbols.named(declaration.name) if f.is_definition and f.is_host]
        faults = [(_difference(declaration, f), f) for f in candidates if not f.template]
        if not faults or any(fault is None for fault, _ in faults):
            return
        fault, definition = min(faults, key=lambda each: abs(len(each[1].params) - len(declaration.params)))
        where = cuda.name_span(definition)
        span = cpp.name_span(declaration)
        if _unclear(cpp, cuda, declaration, definition):
            yield self.undecided(span, f"a type of {declaration.name} is a name of the file's own")
            return
        yield self.found(
            subject,
            span,
            f"{declaration.name} is declared otherwise than it is defined: {fault}",
            notes=(f"it is defined in line {where.line}",),
            help="write the definition's signature, with a semicolon behind it",
            fix=_fix(cpp, cuda, declaration, definition),
        )


def _used(unit: Unit, cpp: Part) -> frozenset[str]:
    """Names that the C++ source needs from elsewhere: what it exports, registers or calls."""
    names = {w for e in unit.exported for w in (e.target or "", *e.mentions)}
    names |= {w for f in cpp.symbols.functions if f.is_definition for w in f.words}
    if cpp.symbols.libraries:
        names |= {f.name for f in cpp.symbols.functions}
    return frozenset(names)


def _types(function: Function) -> list[str]:
    return [p.normal_type for p in function.params if p.normal_type != "void"]


def _difference(declaration: Function, definition: Function) -> str | None:
    """What makes the two different functions; None when they are one."""
    if definition.internal:
        return "the definition is static, or in a namespace without a name"
    if definition.inline:
        return "the definition is inline, so that no other source finds it"
    if definition.namespace != declaration.namespace:
        spaces = [
            f"in namespace {s}" if s else "in no namespace"
            for s in (declaration.namespace, definition.namespace)
        ]
        return f"{spaces[0]} here, {spaces[1]} there"
    if definition.c_linkage != declaration.c_linkage:
        return 'only one of the two is extern "C"'
    ours, theirs = _types(declaration), _types(definition)
    if len(ours) != len(theirs):
        return f"{_count(len(ours))} here, {_count(len(theirs))} there"
    for one, other, here, there in zip(ours, theirs, declaration.params, definition.params, strict=False):
        if one != other:
            return f"{here.type} here, {there.type} there"
    if "auto" not in (declaration.returns, definition.returns) and normal_type(
        declaration.returns
    ) != normal_type(definition.returns):
        return f"it returns {declaration.returns} here, {definition.returns} there"
    return None


def _count(number: int) -> str:
    return f"{number} parameter{'' if number == 1 else 's'}"


def _unclear(cpp: Part, cuda: Part, declaration: Function, definition: Function) -> bool:
    """Whether a word that stands in the types of one side only is a typedef or macro of the file."""
    words = _words([*_types(declaration), normal_type(declaration.returns)])
    words ^= _words([*_types(definition), normal_type(definition.returns)])
    own = {w for p in (cpp, cuda) for w in (*p.symbols.top_words, *p.symbols.macros)}
    return bool(words & own)


def _words(types: Iterable[str]) -> set[str]:
    return {w for t in types for w in re.findall(r"\w+", t)}


def _fix(cpp: Part, cuda: Part, declaration: Function, definition: Function) -> Fix | None:
    """The definition's signature; none where more than the signature differs, or defaults or marks would be lost."""
    span = cpp.region.span(declaration.head_start, declaration.head_end)
    old = cpp.region.text[declaration.head_start : declaration.head_end]
    new = cuda.region.text[definition.head_start : definition.head_end].strip()
    apart = definition.namespace != declaration.namespace or definition.c_linkage != declaration.c_linkage
    if span is None or apart or definition.internal or definition.inline or "=" in old + new or "__" in new:
        return None
    return Fix(span, f"{' '.join(new.split())};", safe=True)
