"""A torch ExportedProgram becomes our Graph: plain data, no torch objects."""

from __future__ import annotations

import operator
import re
from typing import Any

import torch
from torch.utils import _pytree as pytree

from cudasmith.model import Arg, Dtype, Graph, Node, Opaque, Parameter, Ref, SourceLine, Value
from cudasmith.stages._tracing.sizes import NotWritable, size_hint, size_text

KINDS = {"PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "constant"}
DROPPED = {"aten._assert_tensor_metadata.default", "aten._assert_scalar.default"}  # checks, not work
_FRAME = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+), in [^\n]*(?:\n +(?P<text>[^\n]*))?')


class Unsupported(Exception):
    """The graph holds something that ours cannot say. `node` is where."""

    def __init__(self, message: str, source: SourceLine | None = None) -> None:
        super().__init__(message)
        self.source = source


def graph_of(program: torch.export.ExportedProgram, user_file: str) -> Graph:
    """Raises: Unsupported, NotWritable."""
    specs = {s.arg.name: s for s in program.graph_signature.input_specs}
    inputs, parameters, nodes = [], [], []
    output: Arg = None
    for node in program.graph.nodes:
        if node.op == "placeholder":
            if not isinstance(node.meta.get("val"), torch.Tensor):
                continue  # a number: burnt into the nodes that use it
            spec, value = specs[node.name], value_of(node.name, node.meta["val"])
            if spec.kind.name == "USER_INPUT":
                inputs.append(value)
            else:
                parameters.append(_parameter(program, spec, value))
        elif node.op == "output":
            output = _output(program, node)
        else:
            nodes.append(_node(node, user_file))
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
    module = getattr(target, "__module__", "").removeprefix("_")
    return f"{module}.{target.__name__}"


def _parameter(program: Any, spec: Any, value: Value) -> Parameter:
    kind = KINDS.get(spec.kind.name)
    if kind is None:
        raise Unsupported(f"{spec.target} is not a tensor ({spec.kind.name.lower()})")
    grad = kind == "parameter" and bool(program.state_dict[spec.target].requires_grad)
    return Parameter(value, spec.target, kind, grad)


def _node(node: torch.fx.Node, user_file: str) -> Node:
    source = source_of(node, user_file)
    target = target_name(node.target) if node.op == "call_function" else f"{node.op} {node.target}"
    if node.op != "call_function" or target.startswith("higher_order."):
        raise Unsupported(f"{target} cannot be captured", source)
    val = node.meta.get("val")
    try:
        value, values = None, ()
        if isinstance(val, (tuple, list)):
            values = tuple(value_of(f"{node.name}_{i}", v) for i, v in enumerate(val) if v is not None)
        elif val is not None:
            value = value_of(node.name, val)
        args = tuple(_arg(a) for a in node.args)
        kwargs = tuple((k, _arg(v)) for k, v in node.kwargs.items() if v is not None)
    except (Unsupported, NotWritable) as error:
        raise Unsupported(str(error), source) from error
    return Node(node.name, target, args, kwargs, value, values, source)


def _arg(arg: Any) -> Arg:
    if arg is None or isinstance(arg, (bool, int, float, str)):
        return arg
    if isinstance(arg, torch.fx.Node):
        return Ref(arg.name)
    if isinstance(arg, (tuple, list)):
        return tuple(_arg(a) for a in arg)
    if isinstance(arg, torch.dtype):
        return Dtype(dtype_name(arg))
    if isinstance(arg, torch.device):
        return Opaque(f"torch.device({str(arg)!r})")
    if isinstance(arg, (torch.layout, torch.memory_format)):
        return Opaque(str(arg))
    raise Unsupported(f"an argument of type {type(arg).__name__}")


def _output(program: Any, node: torch.fx.Node) -> Arg:
    leaves = [_arg(a) for a in node.args[0]]
    specs = program.graph_signature.output_specs
    user = [a for a, s in zip(leaves, specs, strict=True) if s.kind.name == "USER_OUTPUT"]
    if program.call_spec.out_spec.type is dict:
        raise Unsupported("forward returns a dict: a tensor, or a tuple of tensors, is supported")
    return _tuples(pytree.tree_unflatten(user, program.call_spec.out_spec))


def _tuples(tree: Any) -> Arg:
    if isinstance(tree, dict):
        raise Unsupported("forward returns a dict: a tensor, or a tuple of tensors, is supported")
    return tuple(_tuples(t) for t in tree) if isinstance(tree, (tuple, list)) else tree


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


def source_of(node: torch.fx.Node, user_file: str) -> SourceLine | None:
    """The innermost line of the user's file, or of whatever file is not torch's."""
    frames = [
        SourceLine(m["file"], int(m["line"]), (m["text"] or "").strip())
        for m in _FRAME.finditer(node.meta.get("stack_trace") or "")
    ]
    own = [f for f in frames if f.file == user_file]
    return (own or frames or [None])[-1]


__all__ = ["Unsupported", "graph_of", "operator", "source_of", "value_of"]
