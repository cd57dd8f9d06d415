"""The body of forward: each step of a plan as one Python statement."""

from __future__ import annotations

import keyword

from cudasmith.model import Arg, CudasmithError, Dtype, Graph, GraphPlan, Node, Opaque, Parameter, Ref, Step

_TAKEN = frozenset(("self", "torch", "nn", "math", "load_inline", "cuda_src", "KernelCall", "ModelNew"))
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "truediv": "/", "mod": "%", "pow": "**",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and_": "&", "or_": "|",
}  # fmt: skip


class GraphWriter:
    """Names of one graph's values in Python, and statements over them."""

    def __init__(self, graph: Graph, *, live: bool = False) -> None:
        self.live = live  # the module tree is rebuilt from plain modules, which have no [0]
        self.paths = {p.value.name: p.path for p in graph.parameters}
        self.buffers = {p.value.name for p in graph.parameters if p.kind == "buffer"}
        self.constants = {p.value.name: p for p in graph.parameters if p.data is not None}
        self.first_input = variable(graph.inputs[0].name) if graph.inputs else None

    def lines(self, plan: GraphPlan) -> list[str]:
        """Statements that end in `return`."""
        text = [self.step(step) for step in plan.steps]
        last = plan.steps[-1] if plan.steps else None
        if last is not None and len(last.outputs) == 1 and plan.output == Ref(last.outputs[0]):
            target, _, expression = text[-1].partition(" = ")
            assert target == variable(last.outputs[0])
            return [*text[:-1], f"return {expression}"]
        return [*text, f"return {self.result(plan.output)}"]

    def step(self, step: Step) -> str:
        if step.kernel is not None:
            args = ", ".join(self.argument(p.arg) for p in step.kernel.params)
            targets = ", ".join(variable(name) if name else "_" for name in step.outputs)
            return f"{targets} = KernelCall.apply(ModelNew._ext.{step.kernel.name}, {args})"
        assert step.node is not None
        return f"{variable(step.node.name)} = {self.call(step.node)}"

    def call(self, node: Node) -> str:
        """One node as PyTorch would run it."""
        if node.target == "aten.sym_size.int":
            return f"{self.argument(node.args[0])}.size({self.argument(node.args[1])})"
        if node.target == "operator.getitem":
            return f"{self.argument(node.args[0])}[{self.argument(node.args[1])}]"
        if node.target == "operator.neg":
            return f"-{self.argument(node.args[0])}"
        namespace, _, name = node.target.partition(".")
        if namespace == "operator" and name in _OPERATORS and len(node.args) == 2:
            left, right = (self.argument(a) for a in node.args)
            return f"{left} {_OPERATORS[name]} {right}"
        if namespace in ("operator", "math", "builtins"):
            raise CudasmithError(
                "CSP050", f"arithmetic on sizes uses {node.target}, which has no Python form here"
            )
        given = [self.argument(a) for a in node.args]
        given += [f"{k}={self.keyword(k, v)}" for k, v in node.kwargs]
        return f"torch.ops.{node.target}({', '.join(given)})"

    def keyword(self, name: str, value: Arg) -> str:
        """Capture ran on the CPU: a device argument means the device of the inputs."""
        if name == "device" and value is not None and self.first_input is not None:
            return f"{self.first_input}.device"
        return self.argument(value)

    def constant(self, parameter: Parameter) -> str:
        """A tensor that forward makes from numbers, made again where it is read."""
        where = f", device={self.first_input}.device" if self.first_input is not None else ""
        return f"torch.tensor({self.argument(parameter.data)}, dtype=torch.{parameter.value.dtype}{where})"

    def argument(self, arg: Arg) -> str:
        if isinstance(arg, Ref) and arg.name in self.constants:
            return self.constant(self.constants[arg.name])
        if isinstance(arg, Ref):
            return self.state(arg.name) if arg.name in self.paths else variable(arg.name)
        if isinstance(arg, Dtype):
            return f"torch.{arg.name}"
        if isinstance(arg, Opaque):
            if arg.source.startswith("torch.device") and self.first_input is not None:
                return f"{self.first_input}.device"
            return arg.source
        if isinstance(arg, tuple):
            return f"[{', '.join(self.argument(a) for a in arg)}]"
        if isinstance(arg, float) and (arg != arg or arg in (float("inf"), float("-inf"))):
            return f'float("{arg}")'
        return repr(arg)

    def state(self, name: str) -> str:
        """A parameter or buffer, by its path in the module tree."""
        path = self.paths[name]
        if self.live and any(part.isdigit() for part in path.split(".")):
            return f'self.{"get_buffer" if name in self.buffers else "get_parameter"}("{path}")'
        return attribute(path)

    def result(self, arg: Arg) -> str:
        """The returned structure: a value, or a tuple of them."""
        if isinstance(arg, tuple):
            inner = ", ".join(self.result(a) for a in arg)
            return f"({inner},)" if len(arg) == 1 else f"({inner})"
        return self.argument(arg)


def variable(name: str) -> str:
    """A graph name as a Python variable."""
    return f"{name}_" if name in _TAKEN or keyword.iskeyword(name) else name


def attribute(path: str) -> str:
    """A dotted state path as Python: "net.0.weight" -> "self.net[0].weight"."""
    text = "self"
    for part in path.split("."):
        text += f"[{part}]" if part.isdigit() else f".{part}"
    return text
