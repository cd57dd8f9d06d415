"""Applies the fixes of findings until none is left, and takes back what does not mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import attrs

from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding
from cudasmith.source.document import Document, bounds
from cudasmith.source.text import SourceText
from cudasmith.stages._check.selection import EVERY_RULE, Selection
from cudasmith.stages.check import UNREADABLE, CheckResult

MAX_ROUNDS = 50  # each mends at least one finding, or sets one fix aside

Check = Callable[[Candidate], CheckResult]


@attrs.frozen
class Fixed:
    """`applied`: the findings whose fixes were made, in the order of making. `result`: of the new text."""

    document: Document
    applied: tuple[Finding, ...]
    result: CheckResult


def fixed(
    document: Document,
    path: str,
    check: Check,
    *,
    unsafe: bool = False,
    selection: Selection = EVERY_RULE,
) -> Fixed:
    """Every fix of a selected finding that is not set aside, safe ones alone unless `unsafe`.

    `check` asks every rule: a fix is kept only if its finding is gone afterwards and nothing else is worse, but
    for what the next round mends (a header that the fix needs). Applying twice is applying once.
    """
    start = now = Fixed(document, (), check(Candidate(document.text, path)))
    had = _counts(start.result)
    refused: set[tuple[str, str, str]] = set()
    alone = False  # a round was refused: its fixes are tried one by one
    for _ in range(MAX_ROUNDS):
        counts = _counts(now.result)
        asked = [
            f
            for f in now.result.findings
            if selection.has(f.code) or counts[f.code, f.message] > had[f.code, f.message]
        ]
        usable = [f for f in asked if _usable(f, unsafe) and _key(now, f) not in refused]
        chosen = _apart(usable, now.document)
        if not chosen:
            break
        chosen = _same_edit(chosen[0], usable) if alone else chosen
        after = _applied(now, chosen, path, check)
        if _mends(now.result, after.result, chosen, unsafe):
            now, alone = after, False
        elif alone:
            refused |= {_key(now, f) for f in chosen}
        else:
            alone = True
    return now if now is start or _mends(start.result, now.result, (), None) else start


def _usable(finding: Finding, unsafe: bool) -> bool:
    return finding.fix is not None and (finding.fix.safe or unsafe)


def _key(now: Fixed, finding: Finding) -> tuple[str, str, str]:
    assert finding.fix is not None
    line = now.document.text.split("\n")[finding.span.line - 1] if finding.span else ""
    return finding.code, line, finding.fix.text


def _apart(usable: Sequence[Finding], document: Document) -> list[Finding]:
    """The findings whose fixes do not overlap, earlier places first; two that make the same edit go together."""
    source = SourceText(document.text)
    taken: dict[tuple[int, int, str], None] = {}
    chosen = []
    for finding in usable:
        assert finding.fix is not None
        start, end = bounds(source, finding.fix)
        edit = (start, end, finding.fix.text)
        if edit in taken or not any(_overlap((start, end), (a, b)) for a, b, _ in taken):
            taken[edit] = None
            chosen.append(finding)
    return chosen


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Insertions at one place do not overlap."""
    return max(one[0], other[0]) < min(one[1], other[1]) or (
        one != other and one[0] == other[0] and min(one[1] - one[0], other[1] - other[0]) == 0
    )


def _same_edit(first: Finding, usable: Iterable[Finding]) -> list[Finding]:
    return [f for f in usable if f.fix == first.fix]


def _applied(now: Fixed, chosen: Sequence[Finding], path: str, check: Check) -> Fixed:
    document = now.document.edited(list(dict.fromkeys(f.fix for f in chosen if f.fix is not None)))
    return Fixed(document, (*now.applied, *chosen), check(Candidate(document.text, path)))


def _mends(before: CheckResult, after: CheckResult, chosen: Sequence[Finding], unsafe: bool | None) -> bool:
    """Whether the chosen findings are gone and nothing is worse. `unsafe`: of the next round; None without one."""
    old, new = _counts(before), _counts(after)
    gone = Counter((f.code, f.message) for f in chosen)
    if any(new[key] > old[key] - count for key, count in gone.items()):
        return False
    if any(code == UNREADABLE for code, _ in old):
        return True  # what the other rules say is seen only now
    if len(after.undecided) > len(before.undecided):
        return False
    worse = [f for f in after.findings if new[f.code, f.message] > old[f.code, f.message]]
    return all(unsafe is not None and _usable(f, unsafe) for f in worse)


def _counts(result: CheckResult) -> Counter[tuple[str, str]]:
    return Counter((f.code, f.message) for f in result.findings)
