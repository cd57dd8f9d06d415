"""CUDA text to C++ text with the same line numbers."""

from __future__ import annotations

import re

from cudasmith.cuda.launches import find_launches
from cudasmith.cuda.shared import SharedDeclaration, find_shared
from cudasmith.cuda.tokens import Token, tokenize
from cudasmith.emulator.ptx import rewrite_asm


def rewrite(text: str) -> str:
    """C++ that the emulator's headers compile. Lines keep their numbers, so compiler messages fit."""
    edits: list[tuple[int, int, str]] = []
    for site in find_launches(text):
        name = re.sub(r"\s+", " ", site.kernel).replace("\\", "").replace('"', "'")
        edits.append((site.start, site.start, "::cudasmith::launcher([&](auto&... cudasmith_a) { "))
        edits.append((site.open_start, site.open_end, f'(cudasmith_a...); }}, "{name}", __LINE__, '))
        edits.append((site.close_start, site.close_end, ")"))
    for declaration in find_shared(text):
        newlines = "\n" * text.count("\n", declaration.start, declaration.end)
        edits.append((declaration.start, declaration.end, _shared(declaration, text) + newlines))
    edits.extend(_device_names(text))
    edits.extend(_device_numbers(text))
    edits.extend(_runtime_launches(text))
    edits.extend(_loops(text))
    edits.extend(rewrite_asm(text))
    return _apply(text, edits)


def _shared(d: SharedDeclaration, text: str) -> str:
    """References into guarded memory; an array's declarator is kept as a typedef, so any dimensions work."""
    parts = []
    for v in d.variables:
        if d.dynamic and d.in_function and _taken_as_object(v.name, text):
            parts.append(
                f"typedef {d.type} cudasmith_t_{v.name}{v.dimensions}; cudasmith_t_{v.name}& {v.name} = "
                f'*static_cast<cudasmith_t_{v.name}*>(::cudasmith::dynamic_shared("{v.name}"));'
            )
            continue
        if d.dynamic and d.in_function:
            # A further [] dimension, as in s[][4], stays part of the element type.
            rest = v.dimensions.partition("]")[2]
            parts.append(
                f"typedef {d.type} cudasmith_t_{v.name}{rest}; cudasmith_t_{v.name}* {v.name} = "
                f'static_cast<cudasmith_t_{v.name}*>(::cudasmith::dynamic_shared("{v.name}"));'
            )
        elif d.dynamic:
            parts.append(f"static ::cudasmith::DynamicShared<{d.type}> {v.name};")
        else:
            static = "static " if d.in_function else ""
            parts.append(
                f'{static}::cudasmith::SharedSlot cudasmith_s_{v.name}{{"{v.name}"}}; typedef {d.type} '
                f"cudasmith_t_{v.name}{v.dimensions}; cudasmith_t_{v.name}& {v.name} = "
                f"cudasmith_s_{v.name}.get<cudasmith_t_{v.name}>();"
            )
    return " ".join(parts)


def _taken_as_object(name: str, text: str) -> bool:
    """`reinterpret_cast<T&>(name)` and `&name` mean the array, not a pointer to it; lambdas copy only a pointer."""
    return re.search(rf"&\s*>\s*\(\s*{name}\s*\)|[(=,]\s*&\s*{name}\b(?!\s*(?:\[|\.|->))", text) is not None


def _device_names(text: str) -> list[tuple[int, int, str]]:
    """`DeviceType::CUDA` and `.cuda()` under the names of torch_api.h, which may mean the CPU, where the tensors are."""
    tokens = tokenize(text)
    edits = []
    for before, separator, token, after in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        if token.text == "CUDA" and separator.text == "::" and before.text in ("DeviceType", "Backend"):
            edits.append((token.start, token.end, "CUDASMITH_CUDA"))
        if token.text == "cuda" and separator.text in (".", "->") and after.text == "(":
            edits.append((token.start, token.end, "CUDASMITH_TO_CUDA"))
    return edits


def _device_numbers(text: str) -> list[tuple[int, int, str]]:
    """The number in `Device(kCUDA, 0)` and the name in `Device("cuda")`: torch takes "cpu:0" for another device than "cpu"."""
    tokens = tokenize(text)
    edits = []
    for i, token in enumerate(tokens[:-2]):
        named = token.kind == "string" and re.match(r'"cuda(:\d+)?"$', token.text)
        if not named and (token.text not in ("kCUDA", "CUDA") or tokens[i + 1].text != ","):
            continue
        first = i
        while first >= 2 and tokens[first - 1].text == "::":
            first -= 2
        before = [t.text for t in tokens[max(0, first - 3) : first]]
        if named and _begins_device(before):
            edits.append((token.start, token.end, f"CUDASMITH_CUDA_NAME({token.text})"))
        elif not named and (_begins_device(before) or before[-1:] == ["{"]):
            end = argument_end(tokens, i + 2)
            edits.append((tokens[i + 2].start, tokens[i + 2].start, "CUDASMITH_CUDA_INDEX("))
            edits.append((tokens[end - 1].end, tokens[end - 1].end, ")"))
    return edits


def _begins_device(before: list[str]) -> bool:
    """Whether the tokens end in `Device(`, `Device name(` or `.device(`."""
    *names, bracket = before or [""]
    return bracket in ("(", "{") and ("Device" in names or names[-1:] == ["device"])


def _loops(text: str) -> list[tuple[int, int, str]]:
    """Loops that may wait for another thread give way, where the text has volatile reads: a plain build does not see them."""
    tokens = tokenize(text)
    words = {t.text for t in tokens}
    if "volatile" not in words and "__volatile__" not in words:
        return []
    edits = []
    for i, token in enumerate(tokens[:-3]):
        inner = [t.text for t in tokens[i + 1 : i + 5]]
        if token.text == "for" and inner == ["(", ";", ";", ")"]:
            edits.append((tokens[i + 3].start, tokens[i + 3].start, "::cudasmith::looped()"))
        if token.text != "while" or inner[0] != "(":
            continue
        end = argument_end(tokens, i + 2)
        condition = [t.text for t in tokens[i + 2 : end]]
        declares = "=" in condition and condition.index("=") < (condition + ["("]).index("(")
        if not declares or _compares(condition):
            edits.append((tokens[i + 2].start, tokens[i + 2].start, "::cudasmith::looped() && ("))
            edits.append((tokens[end - 1].end, tokens[end - 1].end, ")"))
    return edits


def _compares(condition: list[str]) -> bool:
    """Whether its first `=` is part of `==`, `!=`, `<=` or `>=`, which are two tokens."""
    i = condition.index("=")
    return condition[i + 1 : i + 2] == ["="] or condition[i - 1 : i] in (["!"], ["<"], [">"])


_LAUNCH_CALLS = ("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
_CAST = re.compile(
    r"\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|(?:reinterpret_cast|static_cast)\s*<[^<>]*>|&"
)


def _runtime_launches(text: str) -> list[tuple[int, int, str]]:
    """cudaLaunchKernel with its kernel's name, line and type: the cast to a pointer to void hides the parameters."""
    tokens = tokenize(text)
    edits = []
    for i, token in enumerate(tokens[:-1]):
        if token.text not in _LAUNCH_CALLS or tokens[i + 1].text != "(":
            continue
        end = argument_end(tokens, i + 2)
        kernel = text[tokens[i + 2].start : tokens[end - 1].end]
        while cast := _CAST.match(kernel.strip()):
            kernel = kernel.strip()[cast.end() :]
        name = re.sub(r"\s+", " ", kernel).strip(" ()").replace('"', "'")
        cooperative = "true" if "Cooperative" in token.text else "false"
        call = f'::cudasmith::launch_named("{name}", __LINE__, {cooperative}, '
        edits.append((token.start, tokens[end - 1].end, call + kernel))
    return edits


def argument_end(tokens: list[Token], start: int) -> int:
    """Index of the comma or bracket that ends the argument at `start`."""
    depth = angle = 0
    for i in range(start, len(tokens)):
        text = tokens[i].text
        if text in ("(", "[", "{"):
            depth += 1
        elif text in (")", "]", "}"):
            if depth == 0:
                return i
            depth -= 1
        elif text == "<":
            angle += 1
        elif text in (">", ">>>"):
            angle -= len(text)
        elif text == "," and depth == 0 and angle <= 0:
            return i
    return len(tokens)


def _apply(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts = []
    position = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[position:start], replacement]
        position = end
    return "".join([*parts, text[position:]])
