"""What some names of a file need of the rest of it."""

from __future__ import annotations

import ast

from cudasmith.source.python_text import first_line, parse
from cudasmith.source.scopes import Scopes, binds


def only_needed(source: str, names: set[str], *, name: str = "<reference>") -> str:
    """The text with the top-level statements blanked that `names` do not need; every line keeps its number.

    Imports stay. A statement that binds nothing (a call for its effect) goes.
    Raises: ProblemError CSP005 for what is no Python.
    """
    tree, scopes = parse(source, name), Scopes(source, name)
    kept: set[ast.stmt] = {n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))}
    wanted, known = set(names), set[str]()
    while wanted - known:
        known |= wanted
        found = {n for n in tree.body if n not in kept and binds(n) & wanted}
        kept |= found
        wanted |= set().union(*(scopes.reads(n) for n in found))
    lines = source.split("\n")
    for node in tree.body:
        if node not in kept:
            for at in range(first_line(node) - 1, node.end_lineno or node.lineno):
                lines[at] = ""
    return "\n".join(lines)
