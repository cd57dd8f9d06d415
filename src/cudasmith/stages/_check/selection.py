"""Which rules are asked: `select` and `ignore` name codes or their beginnings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import attrs

from cudasmith.model.errors import CudasmithError
from cudasmith.rules._rule import all_rules

EVERY = ("CS",)


@attrs.frozen
class Selection:
    """The longest beginning that fits a code decides; of two equal ones, `ignore`."""

    select: tuple[str, ...] = EVERY
    ignore: tuple[str, ...] = ()

    def has(self, code: str) -> bool:
        return _longest(self.select, code) > _longest(self.ignore, code)


EVERY_RULE = Selection()


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(p) for p in prefixes if code.startswith(p)), default=0)


def chosen(given: Iterable[str], where: str) -> tuple[str, ...]:
    """As `codes`, of rules to ask: at least one. Raises: CudasmithError CSP080."""
    found = codes(given, where)
    if not found:
        help = "name rules: CS4, or CS for all"
        raise CudasmithError(
            "CSP080", "select names no rule: nothing would be checked", where=where, help=help
        )
    return found


def codes(given: Iterable[str], where: str) -> tuple[str, ...]:
    """The codes of a list, upper case; each element may hold several between commas.

    Raises: CudasmithError CSP080 for one that is no beginning of a rule's code.
    """
    found = [c.strip().upper() for text in given for c in text.split(",") if c.strip()]
    known = [r.code for r in all_rules()]
    for code in found:
        if not any(k.startswith(code) for k in known):
            near = difflib.get_close_matches(code, known, n=1)
            help = f"nearest: {near[0]}" if near else "`cudasmith explain` lists the rules"
            raise CudasmithError("CSP080", f"no rule's code begins with {code}", where=where, help=help)
    return tuple(dict.fromkeys(found))
