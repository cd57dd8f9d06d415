"""What a translation unit defines, declares, launches and binds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from cudasmith.cuda.syntax import Fault


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
    def holds_tensors(self) -> bool:
        """A list of tensors or an optional one."""
        return "Tensor" in self.type and not self.is_tensor and "TensorOptions" not in self.type


@attrs.frozen
class Call:
    """One call. `x.sum(0)`: callee "sum", receiver "x". `at::sum(x)`: callee "at::sum", no receiver.

    `arguments` are texts without line breaks.
    """

    callee: str
    receiver: str | None
    arguments: tuple[str, ...]
    start: int
    end: int

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


@attrs.frozen
class Variable:
    """A local variable with its initial value, or one assignment to it."""

    type: str
    name: str
    value: str


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
    """A function definition, or a declaration when `is_definition` is false."""

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

    @property
    def is_host(self) -> bool:
        return not self.is_kernel and not self.is_device


@attrs.frozen
class Export:
    """One `m.def("name", &target)`. For a lambda `target` is None and `mentions` are the names in it."""

    name: str
    target: str | None
    start: int
    end: int
    mentions: frozenset[str] = frozenset()


@attrs.frozen
class Binding:
    """One PYBIND11_MODULE block: its first argument and what it defines."""

    module: str
    exports: tuple[Export, ...]
    start: int
    end: int
    module_start: int
    module_end: int


@attrs.frozen
class Symbols:
    """All of one translation unit, in the order of the text."""

    functions: tuple[Function, ...] = ()
    bindings: tuple[Binding, ...] = ()
    libraries: tuple[int, ...] = ()  # places of TORCH_LIBRARY blocks
    includes: tuple[str, ...] = ()
    macros: Mapping[str, str] = attrs.field(factory=dict)  # name -> text of its definition
    macro_launches: tuple[Launch, ...] = ()
    top_words: frozenset[str] = frozenset()  # identifiers outside functions, bindings and includes
    words: Mapping[str, int] = attrs.field(factory=dict)  # identifier -> first place
    faults: tuple[Fault, ...] = ()

    @property
    def kernels(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions if f.is_kernel and f.is_definition)

    @property
    def launches(self) -> tuple[Launch, ...]:
        return tuple(x for f in self.functions for x in f.launches) + self.macro_launches

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
