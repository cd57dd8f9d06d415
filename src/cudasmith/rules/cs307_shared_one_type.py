"""CS307."""

from __future__ import annotations

import re

from cudasmith.cuda.shared import SharedDeclaration
from cudasmith.cuda.symbols import Function, Launch
from cudasmith.model.finding import Finding
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._dispatch import ELEMENTS, around, dispatched
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject

_CHECKED = '  x = checked(x, torch::kFloat, "x");\n'
_KERNEL = "template <typename T>\n__global__ void sum(const T* x) {{\n  extern __shared__ {} s[];{}\n}}\n\n__global__ void scale"
_PLAIN = "__global__ void {}(float* x) {{\n  extern __shared__ {} s[];{}\n}}\n\n"
_DISPATCH = (
    '  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "s", [&] { sum<scalar_t><<<1, 1, 4>>>(nullptr); });\n'
)
_ONE = "  sum<float><<<1, 1, 4>>>(nullptr);\n"


def _case(declaration: str, mark: str, launches: str) -> str:
    return edit(("__global__ void scale", _KERNEL.format(declaration, mark)), (_CHECKED, _CHECKED + launches))


class SharedOneType(Rule):
    """`extern __shared__` arrays of one name have one type in the whole source.

    All of them are the same memory with the same name, so that a template used for float and double declares it
    with two types, which nvcc refuses: "declaration is incompatible with previous". Declare bytes and
    convert: `extern __shared__ __align__(16) unsigned char raw[]; T* s = reinterpret_cast<T*>(raw);`
    """

    code = "CS307"
    name = "shared-one-type"
    severity = severities("error", "error")
    BAD = (
        _case("T", "  // HERE", _DISPATCH),
        _case(
            "T",
            "  // HERE",
            "  sum<<<1, 1>>>(x.data_ptr<float>());\n  sum<<<1, 1>>>(x.data_ptr<double>());\n",
        ),
        _case("T", "  // HERE", _ONE + _ONE.replace("float", "double")),
        edit(
            (
                "__global__ void scale",
                _PLAIN.format("one", "float", "")
                + _PLAIN.format("two", "int", "  // HERE")
                + "__global__ void scale",
            )
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        _case("T", "", _ONE),
        _case("T", "", "  sum<<<1, 1>>>(x.data_ptr<float>());\n"),
        _case("unsigned char", "", _DISPATCH),
        edit(
            (
                "__global__ void scale",
                _PLAIN.format("one", "float", "")
                + _PLAIN.format("two", "float", "")
                + "__global__ void scale",
            )
        ),
        _case("T", "", _ONE.replace("float", "T")).replace("extern __shared__ T s[]", "__shared__ T s[4]"),
    )

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            dynamic = [d for d in part.symbols.shared if d.dynamic]
            first: dict[str, SharedDeclaration] = {}
            for declaration in dynamic:
                kernel = _holder(part, declaration)
                param = _template_parameter(kernel, declaration.type) if kernel is not None else None
                if kernel is not None and param is not None:
                    yield from self._template(subject, part, declaration, kernel, param)
                    continue
                for variable in declaration.variables:
                    earlier = first.setdefault(variable.name, declaration)
                    if earlier.type != declaration.type:
                        yield self._two(subject, part, declaration, f"{earlier.type} and {declaration.type}")

    def _template(
        self, subject: Subject, part: Part, declaration: SharedDeclaration, kernel: Function, param: int
    ) -> Verdicts:
        types = _types(part, kernel, param)
        if types is None:
            span = part.span(declaration.start, declaration.end)
            yield self.undecided(span, f"cannot tell for how many types {kernel.name} is used")
        elif len(types) > 1:
            yield self._two(subject, part, declaration, " and ".join(sorted(types)))

    def _two(self, subject: Subject, part: Part, declaration: SharedDeclaration, types: str) -> Finding:
        name = declaration.variables[0].name
        message = f"the extern __shared__ array {name} has the types {types}"
        help = f"declare unsigned char raw[] and make {name} of it with reinterpret_cast"
        return self.found(subject, part.span(declaration.start, declaration.end), message, help=help)


def _holder(part: Part, declaration: SharedDeclaration) -> Function | None:
    return next((f for f in part.symbols.functions if f.start <= declaration.start < f.end), None)


def _template_parameter(kernel: Function, type: str) -> int | None:
    """Which template parameter of the function a type depends on."""
    names = [re.sub(r"=.*", "", p).split()[-1] for p in kernel.template.strip("<>").split(",") if p.strip()]
    return next((i for i, n in enumerate(names) if re.search(rf"\b{n}\b", type)), None)


def _deduced(kernel: Function, param: int, function: Function, launch: Launch) -> str:
    """The type of a template parameter that an argument of the launch tells: x.data_ptr<float>(), or a pointer's own."""
    for own, argument in zip(kernel.params, launch.arguments, strict=False):
        if _template_parameter(kernel, own.type) != param:
            continue
        typed = re.search(r"data_ptr<([\w:\s]+)>", argument)
        if typed:
            return typed[1].removeprefix("const ").strip()
        plain = next((p.normal_type for p in function.params if p.name == argument), "")
        return plain.replace("const ", "").rstrip("*")
    return ""


def _types(part: Part, kernel: Function, param: int) -> frozenset[str] | None:
    """The types the kernel is launched for; None when a launch does not tell."""
    found: set[str] = set()
    for function, launch in part.symbols.launched(kernel.name):
        given = [a.strip() for a in launch.template.split(",")]
        named = given[param] if param < len(given) else ""
        named = named or _deduced(kernel, param, function, launch)
        dispatch = around(function, launch.start)
        covered = dispatched(dispatch) if dispatch is not None else None
        if named in ELEMENTS:
            found.add(ELEMENTS[named])
        elif covered:
            found |= covered
        elif named and not function.template:
            found.add(named)
        else:
            return None
    return frozenset(found)
