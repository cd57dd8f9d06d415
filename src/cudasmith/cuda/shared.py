"""Declarations of `__shared__` variables in CUDA text."""

from __future__ import annotations

import attrs

from cudasmith.cuda.tokens import Token, line_of, matching, tokenize

_QUALIFIERS = {"extern", "static", "volatile", "const", "__device__"}


@attrs.frozen
class SharedVariable:
    """One declarator, for example `tile[32][33]` of `__shared__ float tile[32][33];`."""

    name: str
    dimensions: str  # "[32][33]", "[]" or "" for a scalar


@attrs.frozen
class SharedDeclaration:
    """One statement that declares shared variables. `start` to `end` includes the semicolon."""

    type: str
    variables: tuple[SharedVariable, ...]
    dynamic: bool  # extern: sized by the launch
    in_function: bool
    line: int
    start: int
    end: int


def find_shared(text: str) -> list[SharedDeclaration]:
    """Every declaration with `__shared__`, in text order. What cannot be read as one is left out."""
    if "__shared__" not in text:
        return []
    tokens = tokenize(text)
    in_function = _inside_functions(tokens)
    found = []
    i = 0
    while i < len(tokens):
        if tokens[i].text == "__shared__":
            declaration = _declaration(text, tokens, i, in_function[i])
            if declaration is not None:
                found.append(declaration)
                while i < len(tokens) and tokens[i].end < declaration.end:
                    i += 1
        i += 1
    return found


def _declaration(text: str, tokens: list[Token], at: int, in_function: bool) -> SharedDeclaration | None:
    first = at
    while first > 0 and tokens[first - 1].text in _QUALIFIERS:
        first -= 1
    end = at
    while end < len(tokens) and tokens[end].text != ";":
        if tokens[end].text in ("(", "[", "{"):
            closing = matching(tokens, end)
            if closing is None:
                return None
            end = closing
        end += 1
    if end >= len(tokens):
        return None
    body, qualifiers = _without_qualifiers(tokens, first, end)
    parts = _split_declarators(body)
    if parts is None:
        return None
    type_text, variables = parts
    if "volatile" in qualifiers:
        type_text = "volatile " + type_text
    return SharedDeclaration(
        type=type_text,
        variables=variables,
        dynamic="extern" in qualifiers,
        in_function=in_function,
        line=line_of(text, tokens[first].start),
        start=tokens[first].start,
        end=tokens[end].end,
    )


def _without_qualifiers(tokens: list[Token], first: int, end: int) -> tuple[list[Token], set[str]]:
    kept: list[Token] = []
    seen: set[str] = set()
    i = first
    while i < end:
        name = tokens[i].text
        if name in ("__align__", "alignas", "__attribute__") and tokens[i + 1].text == "(":
            closing = matching(tokens, i + 1)
            i = (closing if closing is not None else i) + 1
            continue
        if name in _QUALIFIERS or name == "__shared__":
            seen.add(name)
        else:
            kept.append(tokens[i])
        i += 1
    return kept, seen


def _split_declarators(body: list[Token]) -> tuple[str, tuple[SharedVariable, ...]] | None:
    """Type text and variables of `float a[4], b`. The type ends before the first declarator's name."""
    groups: list[list[Token]] = [[]]
    depth = angle = 0
    for token in body:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif depth == 0 and token.text == "<":
            angle += 1
        elif depth == 0 and token.text in (">", ">>>"):
            angle -= len(token.text)
        if token.text == "," and depth == 0 and angle == 0:
            groups.append([])
        else:
            groups[-1].append(token)
    head = _declarator_start(groups[0])
    if head is None or head == 0:
        return None
    type_text = _spelled(groups[0][:head])
    variables = []
    for group in (groups[0][head:], *groups[1:]):
        if not group or group[0].kind != "name":
            return None
        dimensions = _spelled(group[1:])
        if dimensions and not dimensions.startswith("["):
            return None
        variables.append(SharedVariable(group[0].text, dimensions))
    return type_text, tuple(variables)


def _spelled(tokens: list[Token]) -> str:
    """The tokens on one line, apart only where the text has them apart: `>>` stays one operator."""
    parts = []
    for i, token in enumerate(tokens):
        apart = i > 0 and tokens[i - 1].end != token.start
        parts.append(f" {token.text}" if apart else token.text)
    return "".join(parts)


def _declarator_start(group: list[Token]) -> int | None:
    i = len(group) - 1
    depth = 0
    while i >= 0:
        if group[i].text == "]":
            depth += 1
        elif group[i].text == "[":
            depth -= 1
        elif depth == 0:
            return i if group[i].kind == "name" else None
        i -= 1
    return None


def _inside_functions(tokens: list[Token]) -> list[bool]:
    """For each token: does it lie in braces that are neither a namespace's nor a type's?"""
    stack: list[bool] = []
    result = []
    for i, token in enumerate(tokens):
        if token.text == "{" and token.kind == "op":
            stack.append((stack[-1] if stack else False) or not _opens_scope(tokens, i))
        result.append(bool(stack and stack[-1]))
        if token.text == "}" and token.kind == "op" and stack:
            stack.pop()
    return result


def _opens_scope(tokens: list[Token], brace: int) -> bool:
    for i in range(brace - 1, -1, -1):
        if tokens[i].text in ("namespace", "struct", "class", "union", "enum"):
            return True
        if tokens[i].text in (";", "{", "}", ")"):
            return False
        if tokens[i].text in ('"C"', "extern"):
            return True
    return False
