"""docs/rules.md, made from the rules. `python -m cudasmith.report.rules_page > docs/rules.md`"""

from __future__ import annotations

from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding
from cudasmith.report.explain import first_sentence, manual
from cudasmith.rules._rule import POINTS, Rule, all_rules
from cudasmith.rules._subject import MODES, Mode, subject
from cudasmith.source.filemodel import parse_file

_HEAD = """\
# Rules of `cudasmith check`

Made from the rules themselves by `python -m cudasmith.report.rules_page > docs/rules.md`; `cudasmith explain CS203` prints one page.
An error fails the check; a warning and a note do not. What a rule cannot decide is told as undecided, and is no pass where
its findings are errors.

| code | name | strict | default | lenient | fix | |
|---|---|---|---|---|---|---|
"""


def rules_page() -> str:
    """The whole page: a table of all rules, then the manual page of each."""
    rules = all_rules()
    rows = "".join(_row(rule) for rule in rules)
    return _HEAD + rows + "\n" + "\n".join(_section(rule) for rule in rules)


def _row(rule: Rule) -> str:
    levels = " | ".join(_levels(rule, mode) for mode in MODES)
    sentence = first_sentence(rule).replace("|", "\\|")
    return f"| [{rule.code}](#{_anchor(rule)}) | {rule.name} | {levels} | {_fixes(rule)} | {sentence} |\n"


def _found(rule: Rule, mode: Mode) -> list[Finding]:
    verdicts = (v for text in rule.BAD for v in rule.check(subject(parse_file(Candidate(text)), mode)))
    return [v for v in verdicts if isinstance(v, Finding)]


def _levels(rule: Rule, mode: Mode) -> str:
    """The severities that a rule gives its own bad cases."""
    given = {f.severity for f in _found(rule, mode)}
    return " or ".join(level for level in ("error", "warning", "info") if level in given)


def _fixes(rule: Rule) -> str:
    """Whether it offers fixes, as its own bad cases show."""
    fixes = [f.fix for f in _found(rule, "strict") if f.fix is not None]
    kinds = {f.safe for f in fixes}
    return " or ".join(word for word, safe in (("safe", True), ("unsafe", False)) if safe in kinds)


def _section(rule: Rule) -> str:
    point = f"\nDecides of the checklist: {POINTS[rule.answers]}\n" if rule.answers else ""
    return f"## {rule.code} {rule.name}\n\n{_markdown(manual(rule))}\n{point}"


def _markdown(text: str) -> str:
    """The lines `Bad:` and `Good:` of a page stay lines of their own; indented text is code there already."""
    lines = text.split("\n")
    return "\n".join(f"- {line}" if line.startswith(("Bad:", "Good:")) else line for line in lines)


def _anchor(rule: Rule) -> str:
    return f"{rule.code}-{rule.name}".lower()


if __name__ == "__main__":
    print(rules_page(), end="")
