"""Kernel launches `k<args><<<config>>>(...)` of CUDA text, also in macros, lambdas and templates."""

from __future__ import annotations

import attrs

from cudasmith.cuda.tokens import Token, line_of, tokenize


@attrs.frozen
class LaunchSite:
    """One launch. `start` is where the kernel expression begins; the others delimit `<<<` and `>>>`."""

    kernel: str  # the expression before <<<, such as "add<float>"
    name: str  # its last plain name, such as "add"
    line: int
    start: int
    open_start: int
    open_end: int
    close_start: int
    close_end: int


def find_launches(text: str) -> list[LaunchSite]:
    """Every launch, in text order."""
    tokens = tokenize(text)
    sites = []
    for i, token in enumerate(tokens):
        if token.text != "<<<" or token.kind != "op":
            continue
        begin = _kernel_start(tokens, i)
        close = _launch_end(tokens, i)
        if begin is None or close is None:
            continue
        first, last = tokens[begin], tokens[close]
        kernel = text[first.start : tokens[i - 1].end]
        name = kernel.split("<")[0].strip("() &").split("::")[-1].strip()
        line = line_of(text, first.start)
        sites.append(
            LaunchSite(kernel, name, line, first.start, token.start, token.end, last.start, last.end)
        )
    return sites


def _launch_end(tokens: list[Token], opening: int) -> int | None:
    depth = 0
    for i in range(opening + 1, len(tokens)):
        text = tokens[i].text
        if text in ("(", "[", "{"):
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
        elif text == ">>>" and depth == 0:
            return i
        if depth < 0 or (text == ";" and depth == 0):
            return None
    return None


def _kernel_start(tokens: list[Token], opening: int) -> int | None:
    """First token of the kernel expression that ends just before `opening`."""
    i = opening - 1
    if i >= 0 and tokens[i].text in (">", ">>>"):
        before = _template_start(tokens, i)
        if before is None:
            return None
        i = before - 1
    elif i >= 0 and tokens[i].text in (")", "]"):
        before = _bracket_start(tokens, i)
        if before is None:
            return None
        i = before
        if tokens[i].text == "(":
            return i
        i -= 1
    if i < 0 or tokens[i].kind != "name":
        return None
    while i >= 1 and tokens[i - 1].text in ("::", ".", "->"):
        i -= 1
        if i >= 1 and tokens[i - 1].kind == "name":
            i -= 1
        elif i >= 1 and tokens[i - 1].text == ">":
            before = _template_start(tokens, i - 1)
            if before is None:
                return None
            i = before - 1
    return i


def _template_start(tokens: list[Token], closing: int) -> int | None:
    depth = 0
    i = closing
    while i >= 0:
        text = tokens[i].text
        if text in (")", "]", "}"):
            before = _bracket_start(tokens, i)
            if before is None:
                return None
            i = before
        elif text in (">", ">>>"):
            depth += len(text)
        elif text == "<":
            depth -= 1
            if depth == 0:
                return i
        elif text in (";", "{"):
            return None
        i -= 1
    return None


def _bracket_start(tokens: list[Token], closing: int) -> int | None:
    depth = 0
    for i in range(closing, -1, -1):
        if tokens[i].text in (")", "]", "}"):
            depth += 1
        elif tokens[i].text in ("(", "[", "{"):
            depth -= 1
            if depth == 0:
                return i
    return None
