"""What a host function launches: grids, blocks, shared memory and arguments, followed through its arithmetic.

Nothing is executed. A value outside what is understood is None, "not known", and so is all that derives from it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import attrs

from cudasmith.cuda.numbers import (
    HIGH,
    LOW,
    Facts,
    Num,
    Range,
    apply,
    bounds,
    combined,
    const,
    converted,
    divisor,
    fits,
    integer_type,
    made_of,
    refined,
)
from cudasmith.cuda.statements import Expr, Stmt
from cudasmith.cuda.symbols import Function, Symbols

MAX_DEPTH = 8  # helpers that call helpers
MAX_PASSES = 512  # of a loop whose bounds are known
MAX_STATEMENTS = 20_000  # of one call: what comes later is not known
ITEM_BYTES = {
    "float": 4,
    "double": 8,
    "int": 4,
    "unsigned": 4,
    "half": 2,
    "__half": 2,
    "at::Half": 2,
    "char": 1,
}
ITEM_BYTES |= {"unsigned char": 1, "uint8_t": 1, "int8_t": 1, "bool": 1, "short": 2, "int64_t": 8, "long": 8}
ITEM_BYTES |= {
    "int32_t": 4,
    "uint32_t": 4,
    "float2": 8,
    "float4": 16,
    "int4": 16,
    "__nv_bfloat16": 2,
    "size_t": 8,
}
_SAME_SHAPE = (
    "contiguous",
    "to",
    "clone",
    "detach",
    "cuda",
    "float",
    "zero_",
    "fill_",
    "toType",
    "copy_",
    "half",
)
_CHECKS = ("TORCH_CHECK", "AT_ASSERTM", "TORCH_INTERNAL_ASSERT", "AT_ASSERT", "assert", "TORCH_CHECK_VALUE")
_MINIMA = {"min": "min", "max": "max", "std::min": "min", "std::max": "max"}
_CEILINGS = ("ceil_div", "ATenCeilDiv", "at::ceil_div", "at::cuda::ATenCeilDiv", "cuda::ceil_div")


def _as_size(number: Num) -> Num:
    """The number, once a tensor was allocated by it: torch refuses negative sizes."""
    plain = number.known is not None or (number.op == "atom" and number.sized)
    return number if plain else combined("max", number, const(0, sized=True))


@attrs.frozen
class Tensor:
    """A tensor of host code. Tensors of one `shape_name` have equal sizes. `made`: where it is allocated.

    `content`: given (by the caller), empty (not written yet), filled (zeros, a copy, anything computed).
    `param`: the caller's own tensor, by the parameter it came in through. `sizes`: of one that is allocated by
    numbers which are not constants.
    """

    shape_name: str
    shape: tuple[int, ...] | None = None
    content: str = "filled"
    made: tuple[int, int] | None = None
    param: str | None = None
    sizes: tuple[Num, ...] = ()

    @property
    def numel(self) -> Num:
        if self.sizes:
            return functools.reduce(lambda a, b: combined("*", a, b), self.sizes)
        if self.shape is None:
            return Num("atom", name=f"{self.shape_name}.numel", sized=True)
        total = 1
        for size in self.shape:
            total *= size
        return const(total, sized=True)

    def size(self, index: int) -> Num | None:
        if self.sizes:
            return self.sizes[index] if -len(self.sizes) <= index < len(self.sizes) else None
        if self.shape is None:
            return Num("atom", name=f"{self.shape_name}.{index}", sized=True)
        return const(self.shape[index], sized=True) if -len(self.shape) <= index < len(self.shape) else None

    @property
    def dim(self) -> Num:
        known = self.shape is not None or self.sizes
        return const(len(self.shape or self.sizes)) if known else Num("atom", name=f"{self.shape_name}.dim")


@attrs.frozen
class Sizes:
    """`x.sizes()`."""

    tensor: Tensor


@attrs.frozen
class Pointer:
    """`x.data_ptr<T>()`."""

    tensor: Tensor


Value: TypeAlias = "Num | Tensor | Sizes | Pointer | tuple[Value, ...] | None"


@attrs.frozen
class LaunchFact:
    """One launch as far as it is known: x, y, z of grid and block, bytes of dynamic shared memory.

    `sure`: it is reached whenever the function is called with what was given.
    """

    kernel: str
    start: int
    end: int
    function: str
    grid: tuple[Range | None, ...]
    block: tuple[Range | None, ...]
    shared_bytes: Range | None
    arguments: tuple[Value, ...]
    counts: Mapping[int, Range]  # position of a pointer argument -> elements of its tensor
    sure: bool
    written_before: frozenset[Tensor] = frozenset()


@attrs.frozen
class Lost:
    """A value that does not fit into the type it is computed or kept in, in that function."""

    function: str
    start: int
    end: int
    value: int
    type: str
    sure: bool


@attrs.frozen
class HostRun:
    """All that one call of a host function launches, and where its arithmetic overflows."""

    launches: tuple[LaunchFact, ...]
    lost: tuple[Lost, ...]
    returned: Value = None


def given(function: Function, arguments: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """The parameters' values: those given, else a tensor or a number of which nothing is known."""
    known = arguments or {}
    values: dict[str, Value] = {}
    for param in function.params:
        type = integer_type(param.type)
        if param.is_tensor:
            values[param.name] = Tensor(param.name, content="given", param=param.name)
        elif type is not None:
            values[param.name] = Num("atom", name=param.name, type=type)
        if param.name in known:
            value = known[param.name]
            if isinstance(value, Tensor):
                value = attrs.evolve(value, param=param.name, content="given")
            values[param.name] = converted(value, type) if isinstance(value, Num) and type else value
    return values


def run(
    units: Sequence[Symbols], function: Function, arguments: Mapping[str, Value] | None = None
) -> HostRun:
    """Follows one call of the function. Helpers, constants and macros are looked up in `units`."""
    host = _Host(units)
    returned = host.function(function, given(function, arguments), 0) if function.body is not None else None
    return HostRun(tuple(host.launches), tuple(dict.fromkeys(host.lost)), returned)


class _Host:
    def __init__(self, units: Sequence[Symbols]) -> None:
        self._units = units
        self._facts: dict[Num, tuple[int, int]] = {}
        self._names: dict[str, Value] = {}
        self._sure = True
        self._depth = 0
        self._made = 0
        self._left = MAX_STATEMENTS
        self._use: tuple[int, int] | None = None
        self._function = ""
        self._returned: list[Value] = []
        self._written: set[Tensor] = set()
        self.launches: list[LaunchFact] = []
        self.lost: list[Lost] = []

    # ---- functions and statements

    def function(self, function: Function, names: dict[str, Value], depth: int) -> Value:
        """The value it returns; None where several differ."""
        before = (self._names, self._depth, self._function, self._returned)
        self._names, self._depth, self._function = dict(names), depth, function.name
        self._returned = []
        assert function.body is not None
        self._run(function.body)
        values = self._returned
        self._names, self._depth, self._function, self._returned = before
        return values[0] if values and all(v == values[0] for v in values) else None

    def _run(self, statement: Stmt) -> bool:
        """Whether control goes on behind the statement."""
        self._left -= 1
        if self._left < 0:
            return True
        if statement.kind in ("block", "case"):
            return all(self._run(s) for s in statement.bodies)
        if statement.kind == "declare":
            self._declare(statement)
        elif statement.kind == "expr":
            return all(self._statement_of(e) for e in statement.exprs)
        elif statement.kind == "if":
            return self._branch(statement)
        elif statement.kind == "loop":
            return self._loop(statement)
        elif statement.kind == "switch":
            self._maybe(statement.bodies)
        elif statement.kind in ("return", "throw"):
            values = [self._value(e) for e in statement.exprs]
            if statement.kind == "return":
                self._returned.append(values[0] if values else None)
            return False
        return statement.kind not in ("break", "continue")

    def _declare(self, statement: Stmt) -> None:
        for declared in statement.declared:
            value = self._value(declared.value) if declared.value is not None else None
            self._names[declared.name] = self._kept(declared.type, value, declared.start, declared.end)

    def _kept(self, spelled: str, value: Value, start: int, end: int) -> Value:
        """The value as a variable of that type holds it."""
        type = integer_type(spelled)
        if spelled == "dim3":
            return value if isinstance(value, tuple) else (value,) if value is not None else None
        if isinstance(value, Num) and type is not None and type != "bool":
            return self._narrowed(value, type, start, end)
        return None if spelled in ("float", "double") else value

    def _narrowed(self, value: Num, type: str, start: int, end: int) -> Num:
        """The number in a variable of that type. Constants such as `int mask = 0xffffffff` are meant."""
        if value.known is not None and value.sized and value.known > 0 and not fits(value.known, type):
            self._lose(start, end, value.known, type)
        return converted(value, type)

    def _lose(self, start: int, end: int, value: int, type: str) -> None:
        """In a macro or a constant the place is that of its use."""
        start, end = self._use or (start, end)
        self.lost.append(Lost(self._function, start, end, value, type, self._sure))

    def _elsewhere(self, expr: Expr, used: Expr) -> Value:
        """The value of an expression that stands in another text, for the place that uses it."""
        before, self._use = self._use, self._use or (used.start, used.end)
        self._depth += 1
        value = self._value(expr)
        self._depth -= 1
        self._use = before
        return value

    def _statement_of(self, expr: Expr) -> bool:
        """An expression that stands by itself; false when it throws for certain."""
        if expr.kind == "call" and expr.op in _CHECKS and expr.parts:
            return self._assume(expr.parts[0], True)
        self._value(expr)
        return True

    def _branch(self, statement: Stmt) -> bool:
        condition = self._value(statement.exprs[0]) if statement.exprs else None
        truth = self._truth(condition)
        if truth is not None:
            chosen = statement.bodies[:1] if truth else statement.bodies[1:2]
            return all(self._run(b) for b in chosen)
        names, facts, sure, written = dict(self._names), dict(self._facts), self._sure, set(self._written)
        ends = []
        for holds, body in ((True, statement.bodies[:1]), (False, statement.bodies[1:2])):
            self._names, self._facts, self._sure = dict(names), dict(facts), False
            self._written = set(written)
            on = self._assume(statement.exprs[0], holds) if statement.exprs else True
            on = on and all(self._run(b) for b in body)
            ends.append((on, self._names, self._facts, self._written))
        open_ends = [(n, f) for on, n, f, _ in ends if on]
        self._written = written.union(*(w for on, *_, w in ends if on))
        self._sure = sure
        if not open_ends:
            return False
        if len(open_ends) == 1:
            self._names, self._facts = open_ends[0]
        else:
            ways = [_kept_within(n, f, facts) for n, f in open_ends]
            self._names, self._facts = _joined(*ways), facts
        return True

    def _maybe(self, bodies: Sequence[Stmt]) -> None:
        """What may run or not, any number of times."""
        names, sure, returned = dict(self._names), self._sure, list(self._returned)
        for name in _assigned(bodies):
            self._names[name] = names[name] = None
        self._sure = False
        for body in bodies:
            self._run(body)
        self._names, self._sure, self._returned = _joined(names, self._names), sure, returned

    def _loop(self, statement: Stmt) -> bool:
        outer = dict(self._names)
        if statement.init is not None:
            self._run(statement.init)
        if not self._counted(statement):
            step = (
                (Stmt("expr", statement.start, statement.end, (statement.step,)),) if statement.step else ()
            )
            self._maybe((*statement.bodies, *step))
        inner = {d.name for d in (statement.init.declared if statement.init else ())}
        self._names = {n: v for n, v in self._names.items() if n in outer or n not in inner}
        return True

    def _counted(self, statement: Stmt) -> bool:
        """Runs a loop whose every pass is known; false, with nothing changed, for another."""
        if statement.op != "for" or not statement.exprs or statement.step is None:
            return False
        before = (dict(self._names), dict(self._facts), list(self.launches), list(self.lost))
        for _ in range(MAX_PASSES):
            truth = self._truth(self._value(statement.exprs[0]))
            if truth is False:
                return True
            if truth is None or not all(self._run(b) for b in statement.bodies):
                break
            self._value(statement.step)
        self._names, self._facts, self.launches, self.lost = before
        return False

    # ---- conditions

    def _truth(self, value: Value) -> bool | None:
        if not isinstance(value, Num):
            return None
        low, high = bounds(value, self._facts)
        return False if low == high == 0 else True if low > 0 or high < 0 else None

    def _assume(self, condition: Expr, holds: bool) -> bool:
        """Takes the condition to hold, or not to; false when that cannot be."""
        if condition.kind == "unary" and condition.op == "!":
            return self._assume(condition.parts[0], not holds)
        if condition.kind == "binary" and condition.op in ("&&", "||", "and", "or"):
            if (condition.op in ("&&", "and")) == holds:
                return all(self._assume(p, holds) for p in condition.parts)
            return self._truth(self._value(condition)) is not (not holds)
        value = self._value(condition)
        if not isinstance(value, Num):
            return True
        if self._truth(value) is (not holds):
            return False
        if value.op in _NEGATED:
            self._compared(value.op if holds else _NEGATED[value.op], value.args[0], value.args[1])
        elif not holds:
            self._limit(value, 0, 0)
        elif bounds(value, self._facts)[0] == 0:
            self._limit(value, 1, HIGH)
        return True

    def _compared(self, op: str, left: Num, right: Num) -> None:
        (low, high), (least, most) = bounds(left, self._facts), bounds(right, self._facts)
        if op in ("<", "<="):
            self._limit(left, LOW, most - (op == "<"))
            self._limit(right, low + (op == "<"), HIGH)
        elif op in (">", ">="):
            self._compared("<" if op == ">" else "<=", right, left)
        elif op == "==":
            self._limit(left, least, most)
            self._limit(right, low, high)
        elif op == "!=" and least == most == low:
            self._limit(left, low + 1, HIGH)
        elif op == "!=" and low == high == least:
            self._limit(right, least + 1, HIGH)

    def _limit(self, number: Num, low: int, high: int) -> None:
        refined(number, self._facts, max(low, LOW), min(high, HIGH))
        name = number.args[0].name if number.op == "as" and number.args[0].op == "atom" else number.name
        if name.endswith(".numel") and low >= 1:  # then no size is 0
            self._facts[Num("atom", name=name.removesuffix(".numel") + ".any")] = (1, HIGH)

    # ---- expressions

    def _value(self, expr: Expr) -> Value:
        handler: Callable[[Expr], Value] | None = getattr(self, f"_{expr.kind}", None)
        return handler(expr) if handler is not None else self._unknown(expr)

    def _unknown(self, expr: Expr) -> Value:
        """Nothing is known of it; launches in it are seen all the same."""
        for part in expr.parts:
            self._value(part)
        if expr.body is not None:
            self._run(expr.body)
        return None

    def _lambda(self, expr: Expr) -> Value:
        return None

    def _number(self, expr: Expr) -> Value:
        text = expr.op.replace("'", "").lower()
        digits = text.rstrip("ul")
        try:
            value = int(digits, 0) if not re.fullmatch(r"0\d+", digits) else int(digits, 8)
        except ValueError:
            return None
        suffix = text[len(digits) :]
        wide = "l" in suffix or not fits(value, "int")
        return const(
            value, ("uint64" if wide else "unsigned") if "u" in suffix else "int64" if wide else "int"
        )

    def _name(self, expr: Expr) -> Value:
        name = expr.op.rsplit("::", 1)[-1]
        if name in self._names:
            return self._names[name]
        if name in ("true", "false"):
            return const(name == "true", "bool")
        for unit in self._units:
            for declared in unit.globals:
                if declared.name == name and declared.value is not None and self._depth < MAX_DEPTH:
                    value = self._elsewhere(declared.value, expr)
                    return self._kept(declared.type, value, expr.start, expr.end)
            macro = unit.constants.get(name)
            if macro is not None and self._depth < MAX_DEPTH:
                return self._elsewhere(macro, expr)
        return None

    def _binary(self, expr: Expr) -> Value:
        left, right = (self._value(p) for p in expr.parts)
        if expr.op in ("&&", "||"):
            return self._logical(expr.op, left, right)
        if not isinstance(left, Num) or not isinstance(right, Num):
            return None
        return self._arithmetic(expr, expr.op, left, right)

    def _logical(self, op: str, left: Value, right: Value) -> Value:
        truths = (self._truth(left), self._truth(right))
        decides = op == "||"
        if decides in truths:
            return const(decides, "bool")
        return const(not decides, "bool") if None not in truths else None

    def _arithmetic(self, expr: Expr, op: str, left: Num, right: Num) -> Num:
        result = combined(op, left, right)
        if left.known is not None and right.known is not None and op in ("+", "*", "<<"):
            exact = apply(op, left.known, right.known)
            # An unsigned constant may wrap on purpose: a hash, a random number. A size never does.
            meant = result.type in ("unsigned", "uint64") and not result.sized
            if exact is not None and exact > 0 and not fits(exact, result.type) and not meant:
                self._lose(expr.start, expr.end, exact, result.type)
        return attrs.evolve(result, type="bool") if op in _NEGATED else result

    def _unary(self, expr: Expr) -> Value:
        value = self._value(expr.parts[0])
        if not isinstance(value, Num):
            return None
        if expr.op == "-":
            return combined("-", const(0, "int"), value)
        if expr.op == "!":
            truth = self._truth(value)
            return None if truth is None else const(not truth, "bool")
        return value if expr.op == "+" else None

    def _assign(self, expr: Expr) -> Value:
        target, value = expr.parts[0], self._value(expr.parts[1])
        if target.kind == "member" and target.op in ("x", "y", "z") and target.parts[0].kind == "name":
            self._set_axis(target.parts[0].op, "xyz".index(target.op), value)
            return value
        if target.kind != "name":
            return value
        old = self._names.get(target.op)
        if expr.op != "=":
            both = isinstance(old, Num) and isinstance(value, Num)
            op = expr.op[:-1]
            value = (
                self._arithmetic(expr, op, old, value)
                if both and isinstance(old, Num) and isinstance(value, Num)
                else None
            )
        if isinstance(old, Num) and isinstance(value, Num):
            value = self._narrowed(value, old.type, expr.start, expr.end)
        self._names[target.op] = value
        return value

    def _set_axis(self, name: str, axis: int, value: Value) -> None:
        old = self._names.get(name)
        parts = list(old) if isinstance(old, tuple) else []
        parts += [const(1)] * (3 - len(parts))
        parts[axis] = value
        self._names[name] = tuple(parts)

    def _update(self, expr: Expr) -> Value:
        name = expr.parts[0].op if expr.parts and expr.parts[0].kind == "name" else ""
        old = self._names.get(name)
        if isinstance(old, Num):
            self._names[name] = converted(combined(expr.op[0], old, const(1, "int")), old.type)
        return old

    def _choice(self, expr: Expr) -> Value:
        truth = self._truth(self._value(expr.parts[0]))
        if len(expr.parts) < 3:
            return None
        if truth is not None:
            return self._value(expr.parts[1 if truth else 2])
        return _either(
            self._under(expr.parts[0], True, expr.parts[1]), self._under(expr.parts[0], False, expr.parts[2])
        )

    def _under(self, condition: Expr, holds: bool, expr: Expr) -> Value:
        """The value where the condition holds, or does not."""
        before = self._facts
        self._facts = dict(before)
        self._assume(condition, holds)
        value = _within(self._value(expr), self._facts, before)
        self._facts = before
        return value

    def _cast(self, expr: Expr) -> Value:
        value = self._value(expr.parts[0]) if expr.parts else None
        if isinstance(value, (Pointer, tuple)) or expr.op == "dim3":
            return value
        if not isinstance(value, Num):
            return None
        return self._kept(expr.op, value, expr.start, expr.end) if integer_type(expr.op) else None

    def _sizeof(self, expr: Expr) -> Value:
        size = ITEM_BYTES.get(expr.op)
        return const(size, "uint64") if size else None

    def _list(self, expr: Expr) -> Value:
        return tuple(self._value(p) for p in expr.parts)

    def _member(self, expr: Expr) -> Value:
        value = self._value(expr.parts[0]) if expr.parts else None
        if isinstance(value, tuple):
            at = (
                "xyz".find(expr.op)
                if expr.op in ("x", "y", "z")
                else int(expr.op.strip("[]") or -1)
                if expr.op[:1] == "["
                else -1
            )
            if 0 <= at < len(value):
                return value[at]
            return const(1, "unsigned") if expr.op in ("y", "z") else None
        return None

    def _index(self, expr: Expr) -> Value:
        owner, at = self._value(expr.parts[0]), self._value(expr.parts[1]) if len(expr.parts) > 1 else None
        if not isinstance(at, Num) or at.known is None:
            return None
        if isinstance(owner, Sizes):
            return self._size(owner.tensor, at)
        if isinstance(owner, tuple):
            return owner[at.known] if 0 <= at.known < len(owner) else None
        return None

    def _size(self, tensor: Tensor, at: Value) -> Value:
        if not isinstance(at, Num) or at.known is None:
            return Num("atom", name=f"{tensor.shape_name}.?", sized=True) if tensor.shape is None else None
        return tensor.size(at.known)

    def _method(self, expr: Expr) -> Value:
        owner = self._value(expr.parts[0])
        arguments = [self._value(p) for p in expr.parts[1:]]
        if isinstance(owner, Sizes):
            return (
                self._size(owner.tensor, arguments[0])
                if expr.op in ("at",) and arguments
                else owner.tensor.dim
                if expr.op == "size"
                else None
            )
        if not isinstance(owner, Tensor):
            return None
        if expr.op in ("size", "sym_size") and arguments:
            return self._size(owner, arguments[0])
        if expr.op in ("numel", "sym_numel"):
            return owner.numel
        if expr.op in ("dim", "ndimension"):
            return owner.dim
        if expr.op in ("sizes", "sym_sizes"):
            return Sizes(owner)
        if expr.op in ("data_ptr", "const_data_ptr", "mutable_data_ptr", "data"):
            return Pointer(owner)
        if expr.op in ("zero_", "fill_", "copy_", "random_", "uniform_", "normal_"):
            self._written.add(owner)
            return owner
        if expr.op in _SAME_SHAPE:
            return Tensor(owner.shape_name, owner.shape, sizes=owner.sizes)
        if expr.op.startswith("new_") and arguments:
            return self._allocated(expr, expr.op.removeprefix("new_"), arguments)
        if expr.op in ("view", "reshape") and arguments:
            return self._viewed(owner, arguments[0])
        return self._new(None)

    def _viewed(self, owner: Tensor, sizes: Value) -> Value:
        shape = _shape_of(sizes)
        if shape is not None and shape.count(-1) == 1 and owner.numel.known is not None:
            rest = -1
            for size in shape:
                rest *= size
            shape = tuple(owner.numel.known // rest if s == -1 and rest else s for s in shape)
        return self._new(shape if shape is not None and -1 not in shape else None, owner.content)

    def _new(
        self, shape: tuple[int, ...] | None, content: str = "filled", made: tuple[int, int] | None = None
    ) -> Tensor:
        self._made += 1
        return Tensor(f"#{self._made}", shape, content, made)

    def _allocated(self, expr: Expr, name: str, arguments: Sequence[Value]) -> Tensor:
        content = "empty" if name.startswith("empty") else "filled"
        first = arguments[0] if arguments else None
        if isinstance(first, Sizes):
            first = first.tensor
        if isinstance(first, Tensor):
            return Tensor(first.shape_name, first.shape, content, (expr.start, expr.end), sizes=first.sizes)
        shape = _shape_of(first)
        made = self._new(shape, content, (expr.start, expr.end))
        numbers = [v for v in first if isinstance(v, Num)] if isinstance(first, tuple) else []
        open_sizes = shape is None and isinstance(first, tuple) and len(numbers) == len(first)
        return attrs.evolve(made, sizes=tuple(map(_as_size, numbers))) if open_sizes else made

    def _call(self, expr: Expr) -> Value:
        arguments = [self._value(p) for p in expr.parts]
        lambdas = [p.body for p in expr.parts if p.kind == "lambda" and p.body is not None]
        if lambdas:
            returned = self._returned
            self._returned = []
            for body in lambdas:
                self._run(body)
            self._returned = returned
            return None
        space, _, name = expr.op.rpartition("::")
        if expr.op in _MINIMA and len(arguments) == 2:
            return self._numbers(_MINIMA[expr.op], arguments)
        if expr.op == "dim3":
            return tuple(arguments)
        if space in ("torch", "at") and name in (
            "empty",
            "empty_like",
            "zeros",
            "zeros_like",
            "ones",
            "ones_like",
            "full",
        ):
            return self._allocated(expr, name, arguments)
        if name == "maybe_wrap_dim" and all(
            isinstance(a, Num) and a.known is not None for a in arguments[:2]
        ):
            dim, ndim = (a.known for a in arguments[:2] if isinstance(a, Num) and a.known is not None)
            return const(dim + ndim if dim < 0 else dim)
        if name in ("cudaMemsetAsync", "cudaMemset") and arguments and isinstance(arguments[0], Pointer):
            self._written.add(arguments[0].tensor)
        helper = self._helper(name, len(arguments))
        if helper is not None and self._depth < MAX_DEPTH:
            values = {p.name: a for p, a in zip(helper.params, arguments, strict=False)}
            return self.function(helper, {**given(helper), **values}, self._depth + 1)
        if expr.op in _CEILINGS and len(arguments) == 2:
            return self._ceiling(arguments)
        return self._macro(expr, name, arguments)

    def _numbers(self, op: str, arguments: Sequence[Value]) -> Value:
        left, right = arguments
        if isinstance(left, Num) and isinstance(right, Num):
            return combined(op, left, right)
        # The lesser of two is no greater than the one that is known.
        known = left if isinstance(left, Num) else right
        unknown = Num("atom", name="?", type=known.type) if isinstance(known, Num) else None
        return combined(op, known, unknown) if isinstance(known, Num) and unknown else None

    def _ceiling(self, arguments: Sequence[Value]) -> Value:
        number, by = arguments
        if not isinstance(number, Num) or not isinstance(by, Num):
            return None
        return combined("/", combined("-", combined("+", number, by), const(1, "int")), by)

    def _macro(self, expr: Expr, name: str, arguments: Sequence[Value]) -> Value:
        for unit in self._units:
            macro = unit.macro_functions.get(name)
            if macro is not None and len(macro[0]) == len(arguments) and self._depth < MAX_DEPTH:
                before, self._names = (
                    self._names,
                    {**self._names, **dict(zip(macro[0], arguments, strict=True))},
                )
                value = self._elsewhere(macro[1], expr)
                self._names = before
                return value
        return None

    def _helper(self, name: str, count: int) -> Function | None:
        for unit in self._units:
            found = unit.defined(name)
            if found is not None and found.body is not None and len(found.params) >= count:
                return found
        return None

    def _launch(self, expr: Expr) -> Value:
        config, arguments = (tuple(self._value(p) for p in part.parts) for part in expr.parts)
        shared = config[2] if len(config) > 2 else const(0)
        counts = {i: self._range(a.tensor.numel) for i, a in enumerate(arguments) if isinstance(a, Pointer)}
        start, end = self._use or (expr.start, expr.end)
        self.launches.append(
            LaunchFact(
                kernel=expr.op,
                start=start,
                end=end,
                function=self._function,
                grid=self._axes(config[0] if config else None),
                block=self._axes(config[1] if len(config) > 1 else None),
                shared_bytes=self._range(shared) if isinstance(shared, Num) else None,
                arguments=arguments,
                counts={i: r for i, r in counts.items() if r is not None},
                sure=self._sure,
                written_before=frozenset(self._written),
            )
        )
        self._written |= {a.tensor for a in arguments if isinstance(a, Pointer)}
        return None

    def _axes(self, value: Value) -> tuple[Range | None, ...]:
        parts = value if isinstance(value, tuple) else (value,)
        ranges = [self._range(p) for p in parts[:3]]
        return tuple(ranges + [Range(1, 1)] * (3 - len(ranges)))

    def _range(self, value: Value) -> Range | None:
        if not isinstance(value, Num):
            return None
        return Range(*bounds(value, self._facts), value.sized, divisor(value))


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _either(first: Value, second: Value) -> Value:
    if first == second:
        return first
    if isinstance(first, Num) and isinstance(second, Num):
        return made_of("either", first, second, first.type)
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        return tuple(_either(a, b) for a, b in zip(first, second, strict=True))
    return None


def _within(value: Value, facts: Facts, outside: Facts) -> Value:
    """The value with the bounds that hold on one way only, for where that way is left."""
    if not isinstance(value, Num) or value.known is not None:
        return value
    (low, high), (least, most) = bounds(value, facts), bounds(value, outside)
    if high < most:
        value = combined("min", value, const(high, value.type))
    return combined("max", value, const(low, value.type)) if low > least else value


def _kept_within(names: Mapping[str, Value], facts: Facts, outside: Facts) -> dict[str, Value]:
    return (
        {n: _within(v, facts, outside) for n, v in names.items()}
        if len(facts) > len(outside)
        else dict(names)
    )


def _joined(first: Mapping[str, Value], second: Mapping[str, Value]) -> dict[str, Value]:
    return {n: _either(first[n], second[n]) for n in first.keys() & second.keys()}


def _assigned(bodies: Sequence[Stmt]) -> set[str]:
    """Names of variables that the statements change."""
    found = set()
    for body in bodies:
        for expr in body.expressions():
            if expr.kind in ("assign", "update") and expr.parts:
                target = expr.parts[0]
                while target.kind in ("member", "index") and target.parts:
                    target = target.parts[0]
                found.add(target.op)
    return found


def _shape_of(value: Value) -> tuple[int, ...] | None:
    if not isinstance(value, tuple):
        return None
    sizes = [v.known for v in value if isinstance(v, Num) and v.known is not None]
    return tuple(sizes) if len(sizes) == len(value) else None
