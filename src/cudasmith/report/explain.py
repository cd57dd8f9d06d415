"""The manual page of a rule or a diagnosis, made from itself."""

from __future__ import annotations

import difflib
import inspect
import re

from cudasmith.diagnoses._diagnosis import Diagnosis, all_diagnoses
from cudasmith.model.errors import CudasmithError
from cudasmith.rules._rule import Rule, all_rules

_ERRORS = {
    "CSB020": """error of build: Python cannot read the file

The message repeats what Python's parser says, with the line at which it gave up; the mistake stands there or just above:
a bracket or a quote that was never closed, three quotes inside of a string of three quotes, prose or a ``` fence of a chat
reply around the code, or indentation that does not fit.

Look at that line and the one before it. `cudasmith check FILE` shows it with its column and names fences and prose;
`cudasmith extract REPLY -o FILE.py` takes the code out of a reply; `python -m py_compile FILE` must be silent afterwards.""",
    "CSB024": """error of build: only torch's own headers decide

The file uses something of torch that cudasmith's light headers do not have, and this machine cannot build it with torch's
own headers, since its torch was built without CUDA. The message repeats what the compiler said of the light headers;
that need not be a mistake of the file.

Read the compiler's words at the line that is shown: a name that torch does not have either must be mended. Otherwise build
where torch has CUDA (--builder torch), or use what is common: data_ptr<T>(), size(), empty_like, TORCH_CHECK.""",
}


def explain(code: str) -> str:
    """The manual page of the rule or diagnosis with that code or name.

    Raises: CudasmithError when there is none; its help names the nearest.
    """
    entry = find(code)
    if entry is not None:
        return page(entry)
    if (told := _ERRORS.get(code.strip().upper())) is not None:
        return f"{code.strip().upper()}\n{told}\n"
    if code.strip().upper() == "DG000":
        why = "DG000 stands for a failure that no diagnosis knows; there is no such page"
        raise CudasmithError("CSP072", why, help="`cudasmith explain` lists all rules and diagnoses")
    if re.fullmatch(r"(?i)CS[A-Z]\d{3}", code.strip()):
        why = f"{code.strip().upper()} is no rule or diagnosis but the code of an error message, which has no page"
        help = "the line `help:` under the message says what to do; `cudasmith explain` lists all pages"
        raise CudasmithError("CSP072", why, help=help)
    entries = _entries()
    known = {e.code: e for e in entries} | {e.name: e for e in entries}
    nearest = difflib.get_close_matches(code.strip().upper(), [e.code for e in entries], n=3, cutoff=0.5)
    nearest += difflib.get_close_matches(code.strip().lower(), [e.name for e in entries], n=2, cutoff=0.5)
    named = dict.fromkeys(f"{known[n].code} ({known[n].name})" for n in nearest)
    near = f"nearest: {', '.join(named)}; " if named else ""
    help = f"{near}`cudasmith explain` lists them all"
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
