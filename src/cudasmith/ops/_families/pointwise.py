"""A chain of elementwise nodes as C++ statements: one value in, or several, one value out."""

from __future__ import annotations

import re

import attrs

from cudasmith.model import Arg, Dtype, Graph, Node, Ref, Value
from cudasmith.ops._families import dtypes
from cudasmith.ops._families.elementwise import SPECIAL, TABLE, Elementwise
from cudasmith.ops._families.scalars import literal, promote

_CASTS = ("aten.to.dtype", "aten._to_copy.default", "aten.to.dtype_layout", "aten.type_as.default")
_IDENTITIES = ("aten.dropout.default", "aten.feature_dropout.default", "aten.alpha_dropout.default")
_RESERVED = frozenset(
    [
        "out",
        "i",
        "v",
        "n",
        "at",
        "k",
        "load",
        "store",
        "sizes",
        "out_sizes",
        "guard",
        "dim",
        "value",
        "eval",
        "pack",
        "int",
        "float",
        "double",
        "bool",
        "auto",
        "const",
        "default",
        "switch",
        "case",
        "for",
        "if",
        "else",
        "while",
        "do",
        "return",
        "struct",
        "class",
        "template",
        "typename",
        "static",
        "inline",
        "using",
        "namespace",
        "new",
        "delete",
        "this",
        "operator",
        "long",
        "short",
        "signed",
        "unsigned",
        "char",
        "void",
        "true",
        "false",
        "and",
        "or",
        "not",
        "xor",
        "indices",
        "slices",
        "op",
        "shape",
        "sms",
        "packed",
        "tiles",
        "quads",
        "checked",
        "length",
        "inner",
        "outer",
        "blocks",
        "threads",
        "stream",
        "x0",
        "m",
        "sum",
        "prod",
        "max",
        "min",
        "abs",
        "exp",
        "log",
    ]
)


def identifier(name: str) -> str:
    """`name` as a C++ identifier that meets none of ours."""
    clean = re.sub(r"\W", "_", name)
    return f"{clean}_" if clean in _RESERVED or clean[:1].isdigit() else clean


@attrs.frozen
class Group:
    """Elementwise `nodes` in order that end in `root`; `leaves` are the values read from outside."""

    nodes: tuple[Node, ...]
    root: Value
    leaves: tuple[Value, ...]


def base_name(target: str) -> str:
    """ "aten.mul.Tensor" -> "mul"."""
    return target.split(".")[1]


def is_elementwise(graph: Graph, node: Node) -> bool:
    """True when `node` can be written as one expression with all its dtypes known."""
    return why_not(graph, node) is None


def why_not(graph: Graph, node: Node) -> str | None:
    """None when `node` is a supported elementwise operator; otherwise the reason it is not."""
    if node.value is None or not node.target.startswith("aten."):
        return "not an elementwise ATen operator"
    if not dtypes.known(node.value.dtype):
        return f"dtype {node.value.dtype} has no kernel type"
    if node.target in _CASTS:
        return _tensor_reason(graph, node.args[:1])
    if node.target in _IDENTITIES:
        return None if node.args[2:3] == (False,) else "dropout in training mode needs PyTorch's generator"
    name = base_name(node.target)
    if name in SPECIAL:
        return _special_reason(graph, node, name)
    entry = TABLE.get(name)
    if entry is None:
        return f"{node.target} is not an elementwise operator known here"
    return _table_reason(graph, node, entry)


def _tensor_reason(graph: Graph, args: tuple[Arg, ...]) -> str | None:
    for arg in args:
        if isinstance(arg, Ref):
            value = graph.value(arg.name)
            if value is None or not dtypes.known(value.dtype):
                return f"operand {arg.name} is not a tensor of a known dtype"
        elif not isinstance(arg, (int, float, bool)):
            return "an operand is neither a tensor nor a number"
    return None


def _special_reason(graph: Graph, node: Node, name: str) -> str | None:
    assert node.value is not None
    given = tuple(a for a in node.args if a is not None)
    if name in ("where", "masked_fill", "clamp", "clamp_min", "clamp_max"):
        return _tensor_reason(graph, given)
    if not dtypes.is_float(node.value.dtype):
        return f"{node.target} has a kernel for floating dtypes only"
    return _tensor_reason(graph, given)


def _table_reason(graph: Graph, node: Node, entry: Elementwise) -> str | None:
    assert node.value is not None
    reason = _tensor_reason(graph, node.args[: entry.operands])
    if reason is not None:
        return reason
    if len(node.args) < entry.operands:
        return "operands given by keyword"
    if entry.float_only and not dtypes.is_float(node.value.dtype):
        return f"{node.target} has a kernel for floating dtypes only"
    if (
        base_name(node.target) == "div"
        and dict(node.kwargs).get("rounding_mode")
        and not dtypes.is_float(node.value.dtype)
    ):
        return "integer division with rounding has no kernel"
    extra = node.args[entry.operands :] + tuple(v for _, v in node.kwargs)
    if any(isinstance(a, Ref) for a in extra):
        return "a parameter of the operator is computed at run time"
    return None


def operands(graph: Graph, node: Node) -> tuple[Ref, ...]:
    """The tensors that `node` reads, without repeats."""
    return tuple(Ref(name) for name in dict.fromkeys(node.refs()))


class _Writer:
    """Writes the statements of one group. `names` maps a value's name to its C++ expression."""

    def __init__(self, graph: Graph, group: Group) -> None:
        self.graph = graph
        self.names = {leaf.name: identifier(leaf.name) for leaf in group.leaves}
        self.dtypes = {leaf.name: leaf.dtype for leaf in group.leaves}

    def convert(self, arg: Arg, dtype: str) -> str:
        """`arg` as an expression of the compute type of `dtype`."""
        if not isinstance(arg, Ref):
            assert isinstance(arg, (int, float, bool))
            return literal(arg, dtype)
        text, own = self.names[arg.name], self.dtypes[arg.name]
        if dtypes.compute_type(own) == dtypes.compute_type(dtype):
            return text
        if dtype == "bool":
            return f"({text} != 0)"
        return f"static_cast<{dtypes.compute_type(dtype)}>({text})"

    def common(self, args: tuple[Arg, ...]) -> str:
        """The promoted dtype of operands."""
        full: list[str] = []
        zero: list[str] = []
        plain: list[int | float | bool] = []
        for arg in args:
            if isinstance(arg, Ref):
                value = self.graph.value(arg.name)
                (full if value is not None and value.shape else zero).append(self.dtypes[arg.name])
            elif isinstance(arg, (int, float, bool)):
                plain.append(arg)
        return promote(full, zero, plain)

    def expression(self, node: Node) -> str:
        assert node.value is not None
        dtype = node.value.dtype
        if node.target in _CASTS:
            return self.cast(node.args[0], dtype)
        if node.target in _IDENTITIES:
            return self.convert(node.args[0], dtype)
        name = base_name(node.target)
        if name in SPECIAL:
            return self.special(node, name)
        entry = TABLE[name]
        inputs = node.args[: entry.operands]
        common = self.common(inputs) if entry.compute == "inputs" else dtype
        texts = [self.convert(a, common) for a in inputs]
        return entry.emit(dtypes.compute_type(common), *texts, *self.parameters(node, entry, common))

    def parameters(self, node: Node, entry: Elementwise, dtype: str) -> list[str]:
        """The named arguments after the operands, as literals (strings stay strings)."""
        given = dict(node.kwargs)
        for (name, _), arg in zip(entry.names, node.args[entry.operands :], strict=False):
            given[name] = arg
        result = []
        for name, default in entry.names:
            value = given.get(name, default)
            if value is None:
                value = default
            result.append(value if isinstance(value, str) else self.convert(value, dtype))
        return result

    def special(self, node: Node, name: str) -> str:
        assert node.value is not None
        dtype = node.value.dtype
        emit, t = SPECIAL[name], dtypes.compute_type(dtype)
        args = node.args
        kw = dict(node.kwargs)
        if name == "where":
            return emit(t, self.convert(args[0], "bool"), *(self.convert(a, dtype) for a in args[1:]))
        if name == "masked_fill":
            return emit(
                t, self.convert(args[0], dtype), self.convert(args[1], "bool"), self.convert(args[2], dtype)
            )
        if name == "clamp":
            low = args[1] if len(args) > 1 else kw.get("min")
            high = args[2] if len(args) > 2 else kw.get("max")
            ends = [None if a is None else self.convert(a, dtype) for a in (low, high)]
            return emit(t, self.convert(args[0], dtype), *ends)
        texts = [self.convert(a, dtype) for a in args]
        if name in ("addcmul", "addcdiv"):
            texts = texts[:3] + [self.convert(kw.get("value", 1), dtype)]
        return emit(t, *texts)

    def cast(self, arg: Arg, dtype: str) -> str:
        """An explicit change of dtype rounds to the new type's precision, also inside a fused chain."""
        if isinstance(arg, Ref) and self.dtypes[arg.name] != dtype and dtype in ("float16", "bfloat16"):
            return dtypes.to_compute(dtypes.to_storage(self.convert(arg, "float32"), dtype), dtype)
        return self.convert(arg, dtype)


def statements(graph: Graph, group: Group) -> list[str]:
    """C++ statements over the leaves' identifiers (compute types); the last one returns the root."""
    writer = _Writer(graph, group)
    lines = []
    for node in group.nodes:
        assert node.value is not None
        kind = dtypes.compute_type(node.value.dtype)
        text = writer.expression(node)
        if kind in ("int8_t", "uint8_t", "int16_t"):
            text = f"static_cast<{kind}>({text})"
        if node.name == group.root.name:
            lines.append(f"return {_bare(text)};")
        else:
            writer.names[node.name] = identifier(f"{node.name}_")
            writer.dtypes[node.name] = node.value.dtype
            lines.append(f"const {kind} {writer.names[node.name]} = {_bare(text)};")
    return lines


def _bare(text: str) -> str:
    """Without one pair of parentheses around the whole."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and at < len(text) - 1:
            return text
    return text[1:-1]


def dtype_of(arg: Arg) -> str | None:
    """The dtype named by a Dtype argument."""
    return arg.name if isinstance(arg, Dtype) else None
