"""What a translation unit defines, declares, launches and binds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs

from cudasmith.cuda.shared import SharedDeclaration
from cudasmith.cuda.statements import Declared, Expr, Stmt
from cudasmith.cuda.syntax import Fault

_TORCH_SPACES = re.compile(r"(?:::)?\b(?:torch|at|c10|std)::(?=\w)")
_SAME = {
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "int32_t": "int",
    "uint32_t": "unsigned int",
}
_MEANS = {"IntArrayRef": "ArrayRef<int64_t>", "TensorList": "ArrayRef<Tensor>"}


def normal_type(text: str) -> str:
    """A type on Linux x86-64 without what makes no other type: spaces, namespaces of torch, order of const, other names."""
    plain = _TORCH_SPACES.sub("", text)
    for name, meaning in _MEANS.items():
        plain = re.sub(rf"\b{name}\b", meaning, plain)
    words = re.findall(r"\w+|[^\w\s]", plain)
    out: list[str] = []
    for word in words:
        out += _SAME.get(word, word).split()
    return _ordered(out)


def _ordered(words: list[str]) -> str:
    """Each run of words between signs with const in front; a const by value, which binds nobody, left out."""
    runs: list[str] = []
    run: list[str] = []
    for word in [*words, ""]:
        if word and re.fullmatch(r"\w+", word):
            run.append(word)
            continue
        if run == ["const"] and runs[-1:] == ["*"]:
            runs.append(" const" if word else "")  # of a pointer; that of the parameter itself binds nobody
        elif run:
            runs.append(_builtin(run))
        runs.append(word)
        run = []
    text = "".join(runs)
    return text if text.endswith(("*", "&")) else text.removeprefix("const ")


def _builtin(run: list[str]) -> str:
    const = ["const"] if "const" in run else []
    kept = [w for w in run if w not in ("const", "signed", "struct", "typename")] or ["int"]
    if len(kept) > 1 and kept[-1] == "int" and kept[0] in ("long", "short", "unsigned"):
        kept = kept[:-1]
    return " ".join([*const, *(["unsigned", "int"] if kept == ["unsigned"] else kept)])


@attrs.frozen
class Param:
    """One parameter: its type without the name, e.g. `const float*`."""

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith("*")

    @property
    def is_tensor(self) -> bool:
        """One tensor, by value or reference; not optional, not a list."""
        bare = self.type.replace("const", "").replace("&", "").strip()
        return bare in ("torch::Tensor", "at::Tensor", "Tensor")

    @property
    def normal_type(self) -> str:
        """The type as a linker tells types apart: `torch::Tensor const &` and `const at::Tensor&` are one."""
        return normal_type(self.type)

    @property
    def holds_tensors(self) -> bool:
        """A list of tensors or an optional one."""
        return "Tensor" in self.type and not self.is_tensor and "TensorOptions" not in self.type


@attrs.frozen
class Call:
    """One call. `x.sum(0)`: callee "sum", receiver "x". `at::sum(x)`: callee "at::sum", no receiver.

    `arguments` and `template`, what stands in <>, are texts without line breaks. `name_start` to `name_end` is the name
    with its template arguments. `cast`: the type that the result is converted to at once; `cast_start` to `cast_end` is the call with
    its casts.
    """

    callee: str
    receiver: str | None
    arguments: tuple[str, ...]
    start: int
    end: int
    template: str = ""
    name_start: int = 0
    name_end: int = 0
    cast: str = ""
    cast_start: int = 0
    cast_end: int = 0

    @property
    def name(self) -> str:
        return self.callee.rsplit("::", 1)[-1]


@attrs.frozen
class Launch:
    """`kernel<<<config>>>(arguments)`. `in_macro`: seen in a #define only, place approximate."""

    kernel: str
    config: tuple[str, ...]
    arguments: tuple[str, ...]
    start: int
    end: int
    in_macro: bool = False
    template: str = ""  # what stands in <> behind the kernel's name


@attrs.frozen
class Variable:
    """A local variable with its initial value, or one assignment to what stands in `name` (`x[i]`; then without a type).

    `start` to `end` is the value. `pointer`: declared with a star; `array`: with brackets.
    """

    type: str
    name: str
    value: str
    start: int = 0
    end: int = 0
    operator: str = "="
    in_loop: bool = False
    pointer: bool = False
    array: bool = False


@attrs.frozen
class Operation:
    """A binary operator between two expressions, as texts."""

    operator: str
    left: str
    right: str
    start: int
    end: int


@attrs.frozen
class Function:
    """A function definition, or a declaration when `is_definition` is false.

    `namespace`: the named ones around it, with those written before its name. `internal`: not seen by other translation
    units (static, or in a namespace without a name). `head_end`: where the signature ends.
    """

    name: str
    returns: str
    params: tuple[Param, ...]
    start: int
    end: int
    name_start: int
    is_definition: bool
    is_kernel: bool
    is_device: bool
    template: str
    empty: bool = False
    calls: tuple[Call, ...] = ()
    launches: tuple[Launch, ...] = ()
    variables: tuple[Variable, ...] = ()
    operations: tuple[Operation, ...] = ()
    words: frozenset[str] = frozenset()  # every identifier in it
    namespace: str = ""
    internal: bool = False
    inline: bool = False
    c_linkage: bool = False
    head_start: int = 0
    head_end: int = 0
    body: Stmt | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def is_host(self) -> bool:
        return not self.is_kernel and not self.is_device


@attrs.frozen
class Export:
    """One `m.def("name", &target)`. For a lambda `target` is None and `mentions` are the names in it.

    `params` are those of a lambda. `names`: what `py::arg("x")` calls the parameters; `defaults`: how many of those have a
    value, as in `py::arg("x") = 1`.
    """

    name: str
    target: str | None
    start: int
    end: int
    mentions: frozenset[str] = frozenset()
    params: tuple[Param, ...] | None = None
    defaults: int = 0
    names: tuple[str, ...] = ()


@attrs.frozen
class Binding:
    """One PYBIND11_MODULE block: its first argument and what it defines.

    `words`: identifiers and texts in it. `hands_on`: the module is handed to a function that may define more.
    """

    module: str
    exports: tuple[Export, ...]
    start: int
    end: int
    module_start: int
    module_end: int
    words: frozenset[str] = frozenset()
    hands_on: bool = False


@attrs.frozen
class Symbols:
    """All of one translation unit, in the order of the text."""

    functions: tuple[Function, ...] = ()
    bindings: tuple[Binding, ...] = ()
    libraries: tuple[str, ...] = ()  # namespaces of the TORCH_LIBRARY blocks
    includes: tuple[str, ...] = ()
    include_places: Mapping[str, tuple[int, int]] = attrs.field(factory=dict)
    macros: Mapping[str, str] = attrs.field(factory=dict)  # name -> text of its definition
    macro_launches: tuple[Launch, ...] = ()
    globals: tuple[Declared, ...] = ()  # variables at namespace level
    constants: Mapping[str, Expr] = attrs.field(factory=dict)  # macros without parameters, as expressions
    macro_functions: Mapping[str, tuple[tuple[str, ...], Expr]] = attrs.field(factory=dict)
    top_words: frozenset[str] = frozenset()  # identifiers outside functions, bindings and includes
    words: Mapping[str, int] = attrs.field(factory=dict)  # identifier -> first place
    faults: tuple[Fault, ...] = ()
    shared: tuple[SharedDeclaration, ...] = ()

    @property
    def kernels(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions if f.is_kernel and f.is_definition)

    @property
    def launches(self) -> tuple[Launch, ...]:
        return tuple(x for f in self.functions for x in f.launches) + self.macro_launches

    def launched(self, kernel: str) -> Sequence[tuple[Function, Launch]]:
        """The launches of a kernel that stand in functions, each with its function."""
        return self._by_kernel.get(kernel, ())

    @cached_property
    def _by_kernel(self) -> Mapping[str, list[tuple[Function, Launch]]]:
        found: dict[str, list[tuple[Function, Launch]]] = {}
        for function in self.functions:
            for launch in function.launches:
                found.setdefault(launch.kernel, []).append((function, launch))
        return found

    def named(self, name: str) -> tuple[Function, ...]:
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Function, ...]]:
        found: dict[str, list[Function]] = {}
        for function in self.functions:
            found.setdefault(function.name, []).append(function)
        return {name: tuple(functions) for name, functions in found.items()}

    def defined(self, name: str) -> Function | None:
        """The last definition of a host function of that name."""
        found = [f for f in self.named(name) if f.is_definition and f.is_host]
        return found[-1] if found else None


EMPTY = Symbols()
