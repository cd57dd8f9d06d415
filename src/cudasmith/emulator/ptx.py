"""Inline PTX to C++: each asm statement becomes calls of the functions in cudasmith/ptx.h, on the same lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import attrs

from cudasmith.cuda.tokens import Token, matching, tokenize

_TYPES = {
    "b8": "std::uint8_t",
    "u8": "std::uint8_t",
    "s8": "std::int8_t",
    "b16": "std::uint16_t",
    "u16": "std::uint16_t",
    "s16": "std::int16_t",
    "b32": "std::uint32_t",
    "u32": "std::uint32_t",
    "s32": "std::int32_t",
    "b64": "std::uint64_t",
    "u64": "std::uint64_t",
    "s64": "std::int64_t",
    "f16": "__half",
    "f16x2": "__half2",
    "bf16": "__nv_bfloat16",
    "bf16x2": "__nv_bfloat162",
    "f32": "float",
    "f64": "double",
    "pred": "bool",
}
_BYTES = {"h": 2, "r": 4, "l": 8, "f": 4, "d": 8}
_ROUNDINGS = {"rn": "nearest", "rz": "zero", "rm": "down", "rp": "up"}
_ROUNDINGS |= {f"{mode}i": name for mode, name in _ROUNDINGS.items()}
_BINARY = ("add", "sub", "min", "max", "div", "rem", "and", "or", "xor", "shl", "shr")
_UNARY = (
    "not",
    "neg",
    "abs",
    "ex2",
    "lg2",
    "rcp",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tanh",
    "popc",
    "clz",
    "brev",
)
_OTHER = ("bfe", "bfi", "prmt", "lop3", "selp", "dp4a")
_ATOMICS = {"add": "+", "min": "m", "max": "M", "exch": "=", "and": "&", "or": "|", "xor": "^", "inc": "i"}
_ATOMICS |= {"dec": "d", "cas": "?"}
_NOTHING = ("membar", "fence", "prefetch", "prefetchu", "discard", "applypriority", "griddepcontrol")
_SPECIAL = {
    "laneid": "::cudasmith::lane()",
    "warpid": "(::cudasmith::linear_thread() / 32)",
    "nwarpid": "((blockDim.x * blockDim.y * blockDim.z + 31) / 32)",
    "smid": "0u",
    "nsmid": "::cudasmith::device_model().sms",
    "clock": "static_cast<unsigned>(clock64())",
    "clock64": "clock64()",
    "clock_hi": "static_cast<unsigned>(clock64() >> 32)",
    "globaltimer": "__globaltimer()",
    "lanemask_eq": "::cudasmith::ptx::lanemask('e')",
    "lanemask_lt": "::cudasmith::ptx::lanemask('l')",
    "lanemask_le": "::cudasmith::ptx::lanemask('L')",
    "lanemask_gt": "::cudasmith::ptx::lanemask('g')",
    "lanemask_ge": "::cudasmith::ptx::lanemask('G')",
}
for _axis in "xyz":
    _SPECIAL |= {f"tid.{_axis}": f"threadIdx.{_axis}", f"ntid.{_axis}": f"blockDim.{_axis}"}
    _SPECIAL |= {f"ctaid.{_axis}": f"blockIdx.{_axis}", f"nctaid.{_axis}": f"gridDim.{_axis}"}


class UnknownPtxError(Exception):
    """An instruction or operand that the emulator does not have."""


def rewrite_asm(text: str) -> list[tuple[int, int, str]]:
    """Edits that replace every asm statement. An instruction that the emulator lacks becomes an error that names it, where
    the compiler gets to see it: code for one architecture may be hidden from it."""
    tokens = tokenize(text)
    edits: list[tuple[int, int, str]] = []
    for i, token in enumerate(tokens):
        if token.kind != "name" or token.text not in ("asm", "__asm__", "__asm"):
            continue
        opening = i + 1
        while opening < len(tokens) and tokens[opening].text in ("volatile", "__volatile__", "__volatile"):
            opening += 1
        closing = matching(tokens, opening) if opening < len(tokens) and tokens[opening].text == "(" else None
        if closing is None:
            continue
        try:
            code = _statement(text, tokens[opening + 1 : closing], len(edits))
        except UnknownPtxError as error:
            words = str(error).replace("\\", " ").replace('"', "'")
            code = f'static_assert(false, "the emulator does not have {words}")'
        region = text[token.start : tokens[closing].end]
        newline = "\\\n" if "\\\n" in region else "\n"  # inside a macro a line goes on
        edits.append((token.start, tokens[closing].end, code + newline * region.count("\n")))
    return edits


@attrs.frozen
class _Operand:
    """One operand of the asm statement: C++ expression, and where it lies in generated code."""

    place: str
    constraint: str
    expression: str


def _statement(text: str, tokens: list[Token], number: int) -> str:
    sections: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if depth == 0 and token.text in (":", "::"):
            sections.extend([] for _ in token.text)
        else:
            sections[-1].append(token)
    template, stringised = _template(sections[0])
    operands: dict[str, _Operand] = {}
    for section in sections[1:3]:
        for part in _arguments(section):
            _add_operand(text, part, operands, f"csm_{number}_")
    for key, expression in stringised.items():
        operands[key] = _Operand(f"::cudasmith::ptx::integer({expression})", "n", expression)
    return _Translator(template, operands, len(sections) > 1, f"csm_{number}_").code()


def _template(tokens: list[Token]) -> tuple[str, dict[str, str]]:
    """The joined strings; `#name` of a macro becomes an operand of its own."""
    parts: list[str] = []
    stringised: dict[str, str] = {}
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "string":
            raw = re.match(r'R"(\w*)\((.*)\)\1"$', token.text, re.DOTALL)
            parts.append(raw[2] if raw else ast.literal_eval(f"{token.text}"))
        elif token.text == "#" and i + 1 < len(tokens) and tokens[i + 1].kind == "name":
            key = f"[{tokens[i + 1].text}]"
            stringised[key] = tokens[i + 1].text
            parts.append(f"%{key}")
            i += 1
        else:
            raise UnknownPtxError(f"inline PTX with {token.text!r} among its strings")
        i += 1
    return "".join(parts), stringised


def _arguments(tokens: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _add_operand(text: str, part: list[Token], operands: dict[str, _Operand], prefix: str) -> None:
    at = next(i for i, token in enumerate(part) if token.kind == "string")
    constraint = part[at].text.strip('"')
    expression = re.sub(r"\\?\n", " ", text[part[at + 1].end : part[-1].start]).strip()
    index = str(sum(key.isdigit() for key in operands))
    if constraint.strip("=+&") not in (*_BYTES, "n"):
        raise UnknownPtxError(f"the asm constraint {constraint!r}")
    operand = _Operand(f"{prefix}{index}", constraint, expression)
    operands[index] = operand
    if at >= 3:
        operands[f"[{part[at - 2].text}]"] = operand


class _Translator:
    """One asm statement. Registers are declared first, so that jumps pass over no declaration."""

    def __init__(self, template: str, operands: dict[str, _Operand], extended: bool, prefix: str) -> None:
        self.operands = operands
        self.extended = extended
        self.prefix = prefix
        self.registers: dict[str, str] = {}
        self.labels: list[str] = []
        self.lines: list[str] = []
        template = re.sub(r"//[^\n]*|/\*.*?\*/", " ", template, flags=re.DOTALL)
        self._translate(template.replace("%=", "0"))

    def code(self) -> str:
        head, tail = [], []
        for key, operand in self.operands.items():
            kind = operand.constraint.strip("=+&")
            if not key.isdigit():
                continue
            if kind == "n":
                head.append(f"const auto {operand.place} = ::cudasmith::ptx::integer({operand.expression});")
                continue
            size = _BYTES[kind]
            if operand.constraint[0] in "=+":
                head.append(f"auto&& {operand.place}o = ({operand.expression});")
                tail.append(f"::cudasmith::ptx::out<{size}>({operand.place}o, {operand.place});")
                start = (
                    f"::cudasmith::ptx::in<{size}>({operand.place}o)"
                    if operand.constraint[0] == "+"
                    else "{}"
                )
            else:
                start = f"::cudasmith::ptx::in<{size}>({operand.expression})"
            head.append(f"::cudasmith::ptx::Reg {operand.place} = {start};")
        head.extend(f"::cudasmith::ptx::Reg {name};" for name in dict.fromkeys(self.registers.values()))
        labels = "".join(f"__label__ {label}; " for label in dict.fromkeys(self.labels))
        return "do { " + labels + " ".join([*head, *self.lines, *tail]) + " } while (0)"

    def _translate(self, template: str) -> None:
        for text in _instructions(template):
            label = re.match(r"([\w$%]+)\s*:(?!:)\s*", text)
            if label:
                self.lines.append(f"{self._label(label[1])}:;")
                text = text[label.end() :].lstrip("{} ")
            if not text.strip("{} "):
                continue
            guard = re.match(r"@(!?)\s*([%\w$\[\]]+)\s+", text)
            call = self._instruction(text[guard.end() :] if guard else text)
            if guard and call:
                call = (
                    f"if ({'!' if guard[1] else ''}static_cast<bool>({self._value(guard[2])})) {{ {call} }}"
                )
            if call:
                self.lines.append(call)

    def _label(self, name: str) -> str:
        label = f"{self.prefix}l_{re.sub(r'[^0-9A-Za-z_]', '_', name)}"
        self.labels.append(label)
        return label

    def _instruction(self, text: str) -> str:
        declared = re.match(r"\.reg\s+(?:\.v[24]\s+)?\.(\w+)\s+(.*)$", text, re.DOTALL)
        if declared:
            self._declare(declared[2])
            return ""
        if text.startswith((".loc", ".pragma", ".branchtargets")):
            return ""
        opcode, _, rest = text.partition(" ") if " " in text else (text, "", "")
        name, *parts = re.sub(r"::", "_", opcode.strip()).split(".")
        operands = _split_operands(rest)
        handler = _HANDLERS.get(name)
        if handler is None:
            raise UnknownPtxError(f"the PTX instruction {opcode}")
        try:
            return handler(self, opcode, name, parts, operands)
        except (IndexError, KeyError, ValueError):
            raise UnknownPtxError(f"the PTX instruction {text!r} in this form") from None

    def _declare(self, names: str) -> None:
        for name in (n.strip() for n in names.split(",")):
            many = re.match(r"([%\w$]+)<(\d+)>$", name)
            for each in [f"{many[1]}{i}" for i in range(int(many[2]))] if many else [name]:
                self.registers[each] = self.prefix + "r_" + re.sub(r"[^0-9A-Za-z_]", "_", each)

    def _value(self, operand: str, type_name: str = "std::uint64_t") -> str:
        """The operand as a C++ expression of type Reg."""
        operand = operand.strip()
        if operand in self.registers:
            return self.registers[operand]
        found = re.fullmatch(r"%(\d+|\[\w+\])", operand) if self.extended else None
        if found and found[1] in self.operands:
            return self.operands[found[1]].place
        special = operand.lstrip("%")
        if operand.startswith("%") and special in _SPECIAL:
            return f"::cudasmith::ptx::of({_SPECIAL[special]})"
        hexadecimal = re.fullmatch(r"0[fFdD]([0-9a-fA-F]{8,16})", operand)
        if hexadecimal:
            return f"::cudasmith::ptx::integer(0x{hexadecimal[1]}ll)"
        if re.fullmatch(r"[+-]?(0[xX][0-9a-fA-F]+|\d+)U?", operand):
            number = operand.rstrip("U")
            if type_name in ("float", "double"):
                return f"::cudasmith::ptx::constant<{type_name}>({number})"
            return f"::cudasmith::ptx::integer({number}ll)"
        if re.fullmatch(r"[+-]?\d*\.\d+([eE][+-]?\d+)?", operand) and type_name in ("float", "double"):
            return f"::cudasmith::ptx::constant<{type_name}>({operand})"
        raise UnknownPtxError(f"the PTX operand {operand!r}")

    def _target(self, operand: str) -> str:
        if operand.strip() == "_":  # written and not read
            self.registers["_"] = self.prefix + "unread"
        return self._value(operand)

    def _address(self, operand: str) -> tuple[str, str]:
        """Register and offset of `[%0 + 16]`."""
        found = re.fullmatch(r"\[\s*(%\[\w+\]|[%\w$]+)\s*(?:\+\s*([^\]]+))?\s*\]", operand.strip())
        if not found:
            raise UnknownPtxError(f"the PTX address {operand!r}")
        offset = (found[2] or "0").strip()
        if not re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", offset):
            offset = f"{self._value(offset)}.as<long long>()"
        return self._value(found[1]), offset

    def _list(self, operand: str) -> list[str]:
        return [self._value(part) for part in operand.strip().strip("{}").split(",")]


def _instructions(template: str) -> list[str]:
    """Statements without their semicolons; braces that only scope names are dropped."""
    found, current = [], ""
    for character in template:
        if character in "{}" and not current.strip():
            continue
        if character == ";":
            found.append(" ".join(current.split()))
            current = ""
            continue
        current += character
    if current.strip():
        found.append(" ".join(current.split()))
    return [text for text in found if text]


def _split_operands(text: str) -> list[str]:
    parts, depth = [""], 0
    for character in text:
        depth += character in "{["
        depth -= character in "}]"
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


_Handler = Callable[[_Translator, str, str, list[str], list[str]], str]
_HANDLERS: dict[str, _Handler] = {}


def _handles(*names: str) -> Callable[[_Handler], _Handler]:
    def add(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return add


def _only(opcode: str, parts: list[str], *known: str) -> None:
    """Refuses a suffix that would change what the instruction does."""
    unknown = [part for part in parts if part not in known and part not in _TYPES]
    if unknown:
        raise UnknownPtxError(f"the PTX instruction {opcode} (its .{unknown[0]})")


_SPACES = ("global", "shared", "shared_cta", "local", "const")
_CACHING = ("nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt")
_ORDERS = ("volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "cta", "gpu", "sys", "mmio")
_LEVELS = (
    "L1_no_allocate",
    "L1_evict_first",
    "L1_evict_last",
    "L1_evict_normal",
    "L1_evict_unchanged",
    "L2_64B",
    "L2_128B",
    "L2_256B",
)
_MEMORY = (*_SPACES, *_CACHING, *_ORDERS, *_LEVELS, "v2", "v4", "unified", "noftz")


@_handles(*_BINARY, *_UNARY, *_OTHER, "mul", "mad", "fma")
def _arithmetic(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    extrema = ("NaN",) if name in ("min", "max") else ()
    _only(opcode, parts, "approx", "full", "ftz", "rn", "lo", "wide", "hi", *extrema)
    kind = _TYPES[next(p for p in parts if p in _TYPES)]
    function = name + ("_" if name in ("and", "or", "xor", "not") else "_nan" if "NaN" in parts else "")
    if name in ("mul", "mad") and "wide" in parts:
        function += "_wide"
    elif name == "mul" and "hi" in parts:
        function = "mul_hi"
    elif "hi" in parts:
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    values = ", ".join(t._value(operand, kind) for operand in operands[1:])
    return f"{t._target(operands[0])} = ::cudasmith::ptx::{function}<{kind}>({values});"


@_handles("setp")
def _setp(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    _only(opcode, parts[1:], "ftz")
    kind = _TYPES[parts[-1]]
    how = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(parts[0], parts[0])
    if how not in ("eq", "ne", "lt", "le", "gt", "ge"):
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    targets = operands[0].split("|")
    call = (
        f"::cudasmith::ptx::set_{how}<{kind}>({t._value(operands[1], kind)}, {t._value(operands[2], kind)})"
    )
    code = f"{t._target(targets[0])} = {call};"
    if len(targets) > 1:
        code += f" {t._target(targets[1])} = ::cudasmith::ptx::not_<bool>({t._value(targets[0])});"
    return code


@_handles("mov")
def _mov(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    kind = _TYPES[parts[-1]]
    bits = int(re.sub(r"\D", "", parts[-1])) if parts[-1] != "pred" else 1
    to, what = operands
    if to.startswith("{"):  # unpack
        targets = [t._target(x) for x in to.strip("{}").split(",")]
        each = bits // len(targets)
        mask = (1 << each) - 1
        value = t._value(what)
        takes = [f"{x}.bits = csm_v.bits >> {i * each} & 0x{mask:x}ull;" for i, x in enumerate(targets)]
        return f"{{ const auto csm_v = {value}; {' '.join(takes)} }}"
    if what.startswith("{"):  # pack
        values = t._list(what)
        each = bits // len(values)
        mask = (1 << each) - 1
        joined = " | ".join(f"({v}.bits & 0x{mask:x}ull) << {i * each}" for i, v in enumerate(values))
        return f"{t._target(to)}.bits = {joined};"
    return f"{t._target(to)} = {t._value(what, kind)};"


@_handles("cvta")
def _cvta(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    _only(opcode, parts, "to", "shared", "global", "local", "const", "shared_cta")
    value = t._value(operands[1])
    if parts[0] == "to" and parts[1].startswith("shared"):
        value = f"::cudasmith::ptx::to_shared({value})"
    return f"{t._target(operands[0])} = {value};"


@_handles("cvt")
def _cvt(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    if parts[-2:] == ["tf32", "f32"] and "rna" in parts:
        return f"{t._target(operands[0])} = ::cudasmith::ptx::to_tf32({t._value(operands[1], 'float')});"
    _only(opcode, parts, "ftz", *_ROUNDINGS)
    modes = [_ROUNDINGS[p] for p in parts if p in _ROUNDINGS]
    mode = f"::cudasmith::Rounding::{modes[0] if modes else 'nearest'}"
    to, what = parts[-2], _TYPES[parts[-1]]
    target = t._target(operands[0])
    if to in ("f16x2", "bf16x2"):
        pair, one = _TYPES[to], _TYPES[to[:-2]]
        values = f"{t._value(operands[1], what)}, {t._value(operands[2], what)}"
        return f"{target} = ::cudasmith::ptx::convert_pair<{pair}, {one}>({values}, {mode});"
    if to == parts[-1] and not modes:
        return f"{target} = {t._value(operands[1], what)};"
    return (
        f"{target} = ::cudasmith::ptx::convert<{_TYPES[to]}, {what}>({t._value(operands[1], what)}, {mode});"
    )


@_handles("ld", "ldu")
def _ld(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    _only(opcode, parts, *_MEMORY)
    kind = _TYPES[parts[-1]]
    base, offset = t._address(operands[1])
    if "v2" not in parts and "v4" not in parts:
        load = f"*::cudasmith::ptx::at<volatile {kind}>({base}, {offset})"
        return f"{t._target(operands[0])} = ::cudasmith::ptx::extended(static_cast<{kind}>({load}));"
    targets = [t._target(x) for x in operands[0].strip("{}").split(",")]
    pointer = f"const auto csm_p = ::cudasmith::ptx::vector_at<{kind}, {len(targets)}>({base}, {offset});"
    loads = [f"{x} = ::cudasmith::ptx::extended(csm_p[{i}]);" for i, x in enumerate(targets)]
    return f"{{ {pointer} {' '.join(loads)} }}"


@_handles("st")
def _st(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    _only(opcode, parts, *_MEMORY)
    kind = _TYPES[parts[-1]]
    base, offset = t._address(operands[0])
    if "v2" not in parts and "v4" not in parts:
        value = t._value(operands[1], kind)
        return f"*::cudasmith::ptx::at<{kind}>({base}, {offset}) = {value}.as<{kind}>();"
    values = t._list(operands[1])
    pointer = f"const auto csm_p = ::cudasmith::ptx::vector_at<{kind}, {len(values)}>({base}, {offset});"
    stores = [f"csm_p[{i}] = {v}.as<{kind}>();" for i, v in enumerate(values)]
    return f"{{ {pointer} {' '.join(stores)} }}"


@_handles("red", "atom")
def _atomic(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    op = next(p for p in parts if p in _ATOMICS)
    _only(opcode, [p for p in parts if p != op], *(p for p in _MEMORY if p not in ("v2", "v4")))
    kind = _TYPES[parts[-1]]
    target = "" if name == "red" else f"{t._target(operands.pop(0))} = "
    base, offset = t._address(operands[0])
    values = [t._value(x, kind) for x in operands[1:]] + ["::cudasmith::ptx::Reg{}"]
    place = f"::cudasmith::ptx::at<{kind}>({base}, {offset})"
    return f"{target}::cudasmith::ptx::atomic<{kind}>('{_ATOMICS[op]}', {place}, {values[0]}, {values[1]});"


@_handles("cp")
def _cp(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    if parts[:2] == ["async", "commit_group"]:
        return "::cudasmith::async_commit();"
    if parts[:2] == ["async", "wait_all"]:
        return "::cudasmith::async_commit(); ::cudasmith::async_wait(0);"
    if parts[:2] == ["async", "wait_group"]:
        return f"::cudasmith::async_wait({t._value(operands[0])}.as<unsigned>());"
    if parts[:1] != ["async"] or parts[1] not in ("ca", "cg") or "global" not in parts:
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    _only(opcode, parts, "async", *_MEMORY)
    (to, to_offset), (source, from_offset) = t._address(operands[0]), t._address(operands[1])
    size = t._value(operands[2])
    read = t._value(operands[3]) if len(operands) > 3 else size
    where = (
        f"::cudasmith::ptx::at<char>({to}, {to_offset}), ::cudasmith::ptx::at<char>({source}, {from_offset})"
    )
    return f"::cudasmith::async_copy({where}, {size}.as<unsigned>(), {read}.as<unsigned>());"


@_handles("ldmatrix")
def _ldmatrix(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    _only(opcode, parts, "sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared_cta")
    targets = t._list(operands[0])
    count = int(next((p for p in parts if p in ("x1", "x2", "x4")), "x1")[1])
    if len(targets) != count or parts[-1] != "b16":
        raise ValueError(opcode)
    base, offset = t._address(operands[1])
    stores = " ".join(f"{x} = csm_d[{i}];" for i, x in enumerate(targets))
    trans = "true" if "trans" in parts else "false"
    call = f"::cudasmith::ptx::ldmatrix<{count}, {trans}>(csm_d, {base}, {offset}, __LINE__);"
    return f"{{ ::cudasmith::ptx::Reg csm_d[{count}]; {call} {stores} }}"


_ELEMENTS = {"f16": "Half", "bf16": "Bfloat", "tf32": "Tf32", "s8": "S8", "u8": "U8"}
_SUMS = {"f32": "float", "f16": "__half", "s32": "int"}
_DEPTHS = {"f16": (8, 16), "bf16": (8, 16), "tf32": (4, 8), "s8": (16, 32), "u8": (16, 32)}


@_handles("mma")
def _mma(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    found = re.fullmatch(
        r"mma\.sync\.aligned\.m(\d+)n8k(\d+)\.row\.col(?:\.satfinite)?\.(\w+)\.(\w+)\.(\w+)\.(\w+)",
        opcode.strip(),
    )
    if not found or "satfinite" in opcode:
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    rows, depth, d, a, b, c = int(found[1]), int(found[2]), *found.groups()[2:]
    arrays = [t._list(operand) for operand in operands]
    if (rows, depth, a) == (8, 4, "f64"):
        function = "mma_double"
    elif rows == 16 and depth in _DEPTHS.get(a, ()) and d == c and d in _SUMS:
        function = f"mma<::cudasmith::tensor::{_ELEMENTS[a]}, ::cudasmith::tensor::{_ELEMENTS[b]}, {depth}, {_SUMS[d]}>"
    else:
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    lists = [
        f"const ::cudasmith::ptx::Reg csm_{key}[] = {{{', '.join(values)}}};"
        for key, values in zip("abc", arrays[1:], strict=True)
    ]
    stores = " ".join(f"{x} = csm_d[{i}];" for i, x in enumerate(arrays[0]))
    call = f"::cudasmith::ptx::{function}(csm_d, csm_a, csm_b, csm_c, __LINE__);"
    return f"{{ {' '.join(lists)} ::cudasmith::ptx::Reg csm_d[4]; {call} {stores} }}"


@_handles("bar", "barrier")
def _bar(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    if parts[:1] == ["warp"]:
        return f"__syncwarp({t._value(operands[0])}.as<unsigned>(), __LINE__);"
    _only(opcode, parts, "cta", "sync", "arrive", "aligned")
    if operands == ["0"] and "sync" in parts:
        return "::cudasmith::block_barrier(false, __LINE__);"
    count = (
        f"{t._value(operands[1])}.as<unsigned>()"
        if len(operands) > 1
        else "blockDim.x * blockDim.y * blockDim.z"
    )
    wait = "true" if "sync" in parts else "false"
    return f"::cudasmith::named_barrier({t._value(operands[0])}.as<unsigned>(), {count}, {wait}, __LINE__);"


@_handles(*_NOTHING)
def _nothing(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    return ""


@_handles("trap")
def _trap(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    return "__trap();"


@_handles("nanosleep")
def _nanosleep(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    return "__nanosleep(0);"


@_handles("bra")
def _bra(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    return f"goto {t._label(operands[0])};"


@_handles("activemask")
def _activemask(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    return f"{t._target(operands[0])} = ::cudasmith::ptx::of(__activemask(__LINE__));"


@_handles("vote")
def _vote(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    function = {"ballot": "__ballot_sync", "any": "__any_sync", "all": "__all_sync"}[parts[1]]
    negated = operands[1].startswith("!")
    value = f"{'!' if negated else ''}static_cast<bool>({t._value(operands[1].lstrip('! '))})"
    return f"{t._target(operands[0])} = ::cudasmith::ptx::of({function}({t._value(operands[2])}.as<unsigned>(), {value}, __LINE__));"


@_handles("redux")
def _redux(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    kind = "int" if parts[-1] == "s32" else "unsigned"
    if parts[1] not in ("add", "min", "max", "and", "or", "xor") or parts[-1] == "f32":
        raise UnknownPtxError(f"the PTX instruction {opcode}")
    values = f"{t._value(operands[2])}.as<unsigned>(), {t._value(operands[1])}.as<{kind}>(), __LINE__"
    return f"{t._target(operands[0])} = ::cudasmith::ptx::of(__reduce_{parts[1]}_sync({values}));"


@_handles("shfl")
def _shfl(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    mode = {"up": "u", "down": "d", "bfly": "b", "idx": "i"}[parts[1]]
    targets = operands[0].split("|")
    inside = t._value(targets[1]) if len(targets) > 1 else "csm_inside"
    values = ", ".join(t._value(x) for x in operands[1:5])
    call = f"{t._target(targets[0])} = ::cudasmith::ptx::shuffle_raw('{mode}', {values}, {inside}, __LINE__);"
    return f"{{ [[maybe_unused]] ::cudasmith::ptx::Reg csm_inside; {call} }}"


@_handles("mbarrier")
def _mbarrier(t: _Translator, opcode: str, name: str, parts: list[str], operands: list[str]) -> str:
    what, rest = parts[0], parts[1:]
    known = ("shared", "shared_cta", "parity", "release", "acquire", "relaxed", "cta")
    _only(opcode, rest, *known)
    if what in ("init", "inval"):
        base, offset = t._address(operands[0])
        count = f", {t._value(operands[1])}" if what == "init" else ""
        return f"::cudasmith::ptx::mbarrier_{what}({base}, {offset}{count});"
    base, offset = t._address(operands[1])
    if what == "arrive":
        count = t._value(operands[2]) if len(operands) > 2 else "::cudasmith::ptx::integer(1)"
        target = "" if operands[0] == "_" else f"{t._target(operands[0])} = "
        return f"{target}::cudasmith::ptx::mbarrier_arrive({base}, {offset}, {count});"
    if what in ("test_wait", "try_wait"):
        return f"{t._target(operands[0])} = ::cudasmith::ptx::mbarrier_test({base}, {offset}, {t._value(operands[2])});"
    raise UnknownPtxError(f"the PTX instruction {opcode}")
