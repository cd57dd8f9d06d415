"""Graph: what the model computes, as ATen operators with shapes. Plain data, no torch objects.

A dimension is kept twice: its value at the problem's own size (`shape`), and as an expression over
the free sizes of the inputs (`dims`), for example "s77", "s27 - 1" or "64". A dimension whose
expression is a number cannot change without changing the model.
"""

from __future__ import annotations

from typing import Union

import attrs


@attrs.frozen
class Ref:
    """The value with this name: an input, a parameter, or the output of an earlier node."""

    name: str


@attrs.frozen
class Dtype:
    """A torch dtype by name: "float32"."""

    name: str


@attrs.frozen
class Opaque:
    """An argument that is neither data nor a number: a device, layout or memory format, as Python source."""

    source: str


Arg = Union[Ref, Dtype, Opaque, int, float, bool, str, None, tuple["Arg", ...]]  # noqa: UP007 - recursive


@attrs.frozen
class Value:
    """A tensor (or, with dtype "int"/"float"/"bool" and shape (), a Python number).

    `expr` is what an "int" equals, over the free sizes; None for everything else.
    """

    name: str
    shape: tuple[int, ...]
    dims: tuple[str, ...]
    dtype: str
    strides: tuple[int, ...] = ()
    expr: str | None = None

    @property
    def numel(self) -> int:
        n = 1
        for d in self.shape:
            n *= d
        return n


@attrs.frozen
class SourceLine:
    """Where the user's code made this node."""

    file: str
    line: int
    text: str


@attrs.frozen
class Node:
    """One ATen call in topological order. `target` is "aten.cumsum.default", or "operator.sub",
    "operator.getitem", "aten.sym_size.int" for arithmetic on sizes."""

    name: str
    target: str
    args: tuple[Arg, ...]
    kwargs: tuple[tuple[str, Arg], ...]
    value: Value | None  # None when it returns a tuple (then getitem nodes follow) or nothing
    values: tuple[Value, ...] = ()  # the members, when it returns a tuple
    source: SourceLine | None = None

    def refs(self) -> tuple[str, ...]:
        """Names this node reads, in order, with repeats."""
        return tuple(_refs(self.args)) + tuple(_refs(tuple(v for _, v in self.kwargs)))


def _refs(arg: Arg) -> list[str]:
    if isinstance(arg, Ref):
        return [arg.name]
    if isinstance(arg, tuple):
        return [name for item in arg for name in _refs(item)]
    return []


@attrs.frozen
class Parameter:
    """A parameter, buffer or lifted constant of the module. `path` is its dotted name in state_dict order.

    A constant that forward makes itself (`torch.tensor([1.0, 2.0])`) has no place in the module: its
    numbers are in `data`, nested as in Python.
    """

    value: Value
    path: str
    kind: str  # "parameter" | "buffer" | "constant"
    requires_grad: bool = False
    data: Arg = None


@attrs.frozen
class Graph:
    """One capture of forward in one mode. Nodes are in topological order."""

    inputs: tuple[Value, ...]  # the tensor inputs, by their names in forward's signature order
    parameters: tuple[Parameter, ...]
    nodes: tuple[Node, ...]
    output: Arg  # a Ref, or nested tuples of Refs

    def value(self, name: str) -> Value | None:
        """The Value called `name`, or None when it is a tuple or unknown."""
        for v in self.inputs:
            if v.name == name:
                return v
        for p in self.parameters:
            if p.value.name == name:
                return p.value
        for n in self.nodes:
            if n.name == name:
                return n.value
        return None

    def node(self, name: str) -> Node | None:
        """The node that makes `name`, or None for an input or parameter."""
        return next((n for n in self.nodes if n.name == name), None)

    def users(self, name: str) -> tuple[Node, ...]:
        """Nodes that read `name`."""
        return tuple(n for n in self.nodes if name in n.refs())


@attrs.frozen
class InputSpec:
    """One argument of forward: a tensor's shape, dtype and free sizes, or a plain number burnt in."""

    name: str
    value: Value | None  # None for a number
    literal: int | float | bool | str | None = None


@attrs.frozen
class StateEntry:
    """One entry of the module tree, for rebuilding a module without its source."""

    path: str
    shape: tuple[int, ...]
    dtype: str
    kind: str  # "parameter" | "buffer"
    persistent: bool = True
    requires_grad: bool = True


@attrs.frozen
class Capture:
    """Everything learnt by running the user's code once under fake tensors.

    A smallest free size of 2 only says that the capture took it to be neither 0 nor 1.
    """

    inputs: tuple[InputSpec, ...]
    free_sizes: tuple[tuple[str, int, int, int], ...]  # (symbol, value in the problem, min, max)
    init_literals: tuple[tuple[str, ...], bool]  # repr of each init argument; False if some is not a literal
    train: Graph
    eval: Graph
    state: tuple[StateEntry, ...]
    forward_args: tuple[
        str, ...
    ]  # names of the arguments given to forward, as in `inputs`; the rest keep defaults
    class_name: str
    same: bool  # train and eval graphs are equal
    dynamic: bool  # False: all sizes are the problem's own; `why_static` says why, also for some
    why_static: str | None = None
    tied: tuple[tuple[str, str], ...] = ()  # (alias path, canonical path) of shared parameters
    guards: tuple[str, ...] = ()  # conditions on free sizes, as Python: outside them forward is another graph
