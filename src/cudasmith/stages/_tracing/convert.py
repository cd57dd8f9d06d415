"""A torch ExportedProgram becomes our Graph: plain data, no torch objects."""

from __future__ import annotations

import re
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree

from cudasmith.model import Arg, Dtype, Graph, Node, Opaque, Parameter, Ref, SourceLine, Value
from cudasmith.stages._tracing.explain import UserCode
from cudasmith.stages._tracing.sizes import DataDependent, NotWritable, size_hint, size_text

KINDS = {"PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "constant"}
DROPPED = {"aten._assert_tensor_metadata.default", "aten._assert_scalar.default"}  # checks, not work
COPIES = {"aten.lift_fresh_copy.default", "aten.lift_fresh.default", "aten.detach_.default"}
BLOCKS = {"wrap_with_autocast": "a torch.autocast block", "cond": "torch.cond"}
DATA_ELEMS = 4096  # largest constant that is written into a file as numbers
_FRAME = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+), in [^\n]*(?:\n +(?P<text>[^\n]*))?')


class Unsupported(Exception):
    """The graph holds something that ours cannot say. `source` is where."""

    def __init__(self, message: str, source: SourceLine | None = None) -> None:
        super().__init__(message)
        self.source = source


class DataDependentNode(Unsupported):
    """The size of a node's result depends on data."""


def graph_of(program: torch.export.ExportedProgram, names: tuple[str, ...], code: UserCode) -> Graph:
    """The program as data. Inputs are called as forward calls them. Raises: Unsupported, NotWritable."""
    specs = {s.arg.name: s for s in program.graph_signature.input_specs}
    converter = _Converter(program, code)
    inputs, parameters, nodes = [], [], []
    given = iter(names)
    for node in program.graph.nodes:
        if node.op == "placeholder":
            is_input = specs[node.name].kind.name == "USER_INPUT"
            name = next(given) if is_input else node.name
            if not isinstance(node.meta.get("val"), torch.Tensor):
                continue  # a number: burnt into the nodes that use it
            value = value_of(name, node.meta["val"])
            converter.names[node.name] = name
            if is_input:
                inputs.append(value)
            else:
                parameters.append(converter.parameter(specs[node.name], value))
        elif node.op not in ("output", "get_attr") and not converter.is_copy_of_constant(node):
            nodes.append(converter.node(node))
    output = converter.output()
    return Graph(tuple(inputs), tuple(parameters), _alive(nodes, output), output)


def value_of(name: str, val: Any) -> Value:
    """Raises: NotWritable."""
    if isinstance(val, torch.Tensor):
        if val.layout != torch.strided:
            raise Unsupported(f"a tensor of layout {val.layout}: only dense tensors are supported")
        shape = tuple(size_hint(s) for s in val.shape)
        strides = tuple(size_hint(s) for s in val.stride())
        return Value(name, shape, tuple(size_text(s) for s in val.shape), dtype_name(val.dtype), strides)
    if isinstance(val, (torch.SymBool, bool)):
        return Value(name, (), (), "bool")
    if isinstance(val, (torch.SymFloat, float)):
        return Value(name, (), (), "float")
    if isinstance(val, (torch.SymInt, int)):
        return Value(name, (), (), "int", expr=size_text(val))
    raise Unsupported(f"a value of type {type(val).__name__}")


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def target_name(target: Any) -> str:
    """ "aten.cumsum.default", "operator.sub", "math.ceil"."""
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return f"higher_order.{target.name()}"
    if isinstance(target, str):
        return target
    module = getattr(target, "__module__", "").removeprefix("_")
    return f"{module}.{target.__name__}"


class _Converter:
    """Names of one program, and the conversion of its parts."""

    def __init__(self, program: Any, code: UserCode) -> None:
        self._program = program
        self._code = code
        self._data: set[str] = set()  # names that stand for constants with data
        self.names: dict[str, str] = {}

    def parameter(self, spec: Any, value: Value) -> Parameter:
        kind = KINDS.get(spec.kind.name)
        if kind is None:
            raise Unsupported(f"{spec.target} is not a tensor ({spec.kind.name.lower()})")
        grad = kind == "parameter" and bool(self._program.state_dict[spec.target].requires_grad)
        data = self._constant(spec.target, value) if kind == "constant" else None
        return Parameter(value, spec.target, kind, grad, data)

    def _constant(self, path: str, value: Value) -> Arg:
        """The numbers of a tensor that forward makes; None when the module holds it under its path."""
        tensor = self._program.constants[path]
        if not path.rpartition(".")[2].startswith("lifted_tensor_"):
            return None
        if isinstance(tensor, FakeTensor) or tensor.numel() > DATA_ELEMS:
            raise Unsupported(f"forward makes a constant of {value.numel} numbers: make it in __init__")
        self._data.add(value.name)
        return _tuples(tensor.tolist())

    def is_copy_of_constant(self, node: torch.fx.Node) -> bool:
        """True for the copy that export puts between a constant and its use; it takes the constant's name."""
        source = node.args[0] if node.args else None
        if target_name(node.target) not in COPIES or not isinstance(source, torch.fx.Node):
            return False
        name = self.names.get(source.name, source.name)
        if name in self._data:
            self.names[node.name] = name
        return name in self._data

    def node(self, node: torch.fx.Node) -> Node:
        source = source_of(node, self._code)
        target = target_name(node.target)
        if target.startswith("higher_order."):  # its body hangs on a get_attr node
            name = target.removeprefix("higher_order.")
            raise Unsupported(f"{BLOCKS.get(name, name)} is not a plain operator", source)
        assert node.op == "call_function", node.op
        val = node.meta.get("val")
        value: Value | None = None
        values: tuple[Value, ...] = ()
        try:
            if isinstance(val, (tuple, list)):
                values = tuple(value_of(f"{node.name}_{i}", v) for i, v in enumerate(val) if v is not None)
            elif val is not None:
                value = value_of(node.name, val)
            args = tuple(self.arg(a) for a in node.args)
            kwargs = tuple((k, self.arg(v)) for k, v in node.kwargs.items() if v is not None)
        except (Unsupported, NotWritable) as error:
            raise Unsupported(str(error), source) from error
        except DataDependent as error:
            raise DataDependentNode(str(error), source) from error
        return Node(node.name, target, args, kwargs, value, values, source)

    def arg(self, arg: Any) -> Arg:
        if arg is None or isinstance(arg, (bool, int, float, str)):
            return arg
        if isinstance(arg, torch.fx.Node):
            return Ref(self.names.get(arg.name, arg.name))
        if isinstance(arg, (tuple, list)):
            return tuple(self.arg(a) for a in arg)
        if isinstance(arg, torch.dtype):
            return Dtype(dtype_name(arg))
        if isinstance(arg, torch.device):
            return Opaque(f"torch.device({str(arg)!r})")
        if isinstance(arg, (torch.layout, torch.memory_format)):
            return Opaque(str(arg))
        raise Unsupported(f"an argument of type {type(arg).__name__}")

    def output(self) -> Arg:
        node = self._program.graph.output_node()
        specs = self._program.graph_signature.output_specs
        user = [self.arg(a) for a, s in zip(node.args[0], specs, strict=True) if s.kind.name == "USER_OUTPUT"]
        if not any(isinstance(a, Ref) for a in user):
            raise Unsupported("it returns no tensor")
        return _tuples(pytree.tree_unflatten(user, self._program.call_spec.out_spec))


def _tuples(tree: Any) -> Arg:
    if isinstance(tree, (tuple, list)):
        return tuple(_tuples(t) for t in tree)
    if tree is None or isinstance(tree, (Ref, int, float, bool, str)):
        return tree
    raise Unsupported(f"it returns a {type(tree).__name__}; a tensor or a tuple of tensors is supported")


def _alive(nodes: list[Node], output: Arg) -> tuple[Node, ...]:
    """Without the checks, and without the arithmetic that only they read."""
    kept: list[Node] = []
    used = set(Node("", "", (output,), (), None).refs())
    for node in reversed(nodes):
        pure = node.target.startswith(("operator.", "aten.sym_", "math."))
        if node.target in DROPPED or (pure and node.name not in used):
            continue
        kept.append(node)
        used.update(node.refs())
    return tuple(reversed(kept))


def source_of(node: torch.fx.Node, code: UserCode) -> SourceLine | None:
    """The innermost line of the user's code."""
    return code.innermost(
        [
            SourceLine(m["file"], int(m["line"]), (m["text"] or "").strip())
            for m in _FRAME.finditer(node.meta.get("stack_trace") or "")
        ]
    )
