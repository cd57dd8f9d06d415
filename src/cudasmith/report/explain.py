"""The manual page of a rule or a diagnosis, made from itself."""

from __future__ import annotations

import difflib
import inspect

from cudasmith.diagnoses._diagnosis import Diagnosis, all_diagnoses
from cudasmith.model.errors import CudasmithError
from cudasmith.rules._rule import Rule, all_rules


def explain(code: str) -> str:
    """The manual page of the rule or diagnosis with that code or name.

    Raises: CudasmithError when there is none; its help names the nearest.
    """
    entry = find(code)
    if entry is not None:
        return page(entry)
    entries = _entries()
    known = {e.code: e for e in entries} | {e.name: e for e in entries}
    nearest = difflib.get_close_matches(code.strip().upper(), [e.code for e in entries], n=3, cutoff=0.5)
    nearest += difflib.get_close_matches(code.strip().lower(), [e.name for e in entries], n=2, cutoff=0.5)
    named = dict.fromkeys(f"{known[n].code} ({known[n].name})" for n in nearest)
    help = f"nearest: {', '.join(named)}" if named else "`cudasmith explain` lists them all"
    raise CudasmithError("CSP072", f"no rule or diagnosis is called {code!r}", help=help)


def find(code: str) -> Rule | Diagnosis | None:
    """The rule or diagnosis with that code or name."""
    wanted = code.strip()
    return next((e for e in _entries() if wanted.upper() == e.code or wanted.lower() == e.name), None)


def page(entry: Rule | Diagnosis) -> str:
    """Code, name, severities, then the docstring."""
    if isinstance(entry, Diagnosis):
        levels = f"diagnosis of a log: {entry.severity}"
    else:
        levels = ", ".join(f"{mode}: {level}" for mode, level in entry.severity.items())
    return f"{entry.code} {entry.name}\n{levels}\n\n{manual(entry)}\n"


def cause(code: str) -> str:
    """Why a diagnosed failure happens: its page up to the last paragraph, which says what to do."""
    entry = find(code)
    return "" if entry is None else "\n\n".join(manual(entry).split("\n\n")[:-1])


def index() -> str:
    """One line for each rule and each diagnosis: code, name, first sentence."""
    entries = _entries()
    width = max(len(e.name) for e in entries)
    rules = [_line(e, width) for e in entries if isinstance(e, Rule)]
    diagnoses = [_line(e, width) for e in entries if isinstance(e, Diagnosis)]
    return "\n".join(
        ["Rules (cudasmith check):", *rules, "", "Diagnoses (cudasmith explain --log):", *diagnoses, ""]
    )


def _line(entry: Rule | Diagnosis, width: int) -> str:
    return f"{entry.code}  {entry.name:<{width}}  {first_sentence(entry)}"


def first_sentence(entry: Rule | Diagnosis) -> str:
    return manual(entry).splitlines()[0]


def manual(entry: Rule | Diagnosis) -> str:
    """The docstring: the manual page without its head."""
    return inspect.cleandoc(entry.__doc__ or "")


def _entries() -> tuple[Rule | Diagnosis, ...]:
    return (*all_rules(), *all_diagnoses())
