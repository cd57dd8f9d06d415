"""The manual page of a rule, made from the rule itself."""

from __future__ import annotations

import difflib
import inspect

from cudasmith.model.errors import CudasmithError
from cudasmith.rules._rule import Rule, all_rules


def explain(code: str) -> str:
    """The manual page of the rule with that code or name.

    Raises: CudasmithError when there is none; its help names the nearest.
    """
    rules = all_rules()
    wanted = code.strip()
    for rule in rules:
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            return page(rule)
    known = {r.code: r for r in rules} | {r.name: r for r in rules}
    nearest = difflib.get_close_matches(wanted.upper(), [r.code for r in rules], n=3, cutoff=0.5)
    nearest += difflib.get_close_matches(wanted.lower(), [r.name for r in rules], n=2, cutoff=0.5)
    named = dict.fromkeys(f"{known[n].code} ({known[n].name})" for n in nearest)
    help = f"nearest: {', '.join(named)}" if named else f"known: {', '.join(r.code for r in rules)}"
    raise CudasmithError("CSP072", f"no rule is called {code!r}", help=help)


def page(rule: Rule) -> str:
    """Code, name, severities, then the docstring."""
    levels = ", ".join(f"{mode}: {level}" for mode, level in rule.severity.items())
    return f"{rule.code} {rule.name}\n{levels}\n\n{inspect.cleandoc(rule.__doc__ or '')}\n"


def index() -> str:
    """One line for each rule: code, name, first sentence."""
    lines = [
        f"{r.code}  {r.name:<20} {inspect.cleandoc(r.__doc__ or '').splitlines()[0]}" for r in all_rules()
    ]
    return "\n".join(lines) + "\n"
