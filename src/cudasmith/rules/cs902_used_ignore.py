"""CS902."""

from __future__ import annotations

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, all_rules, severities
from cudasmith.rules._subject import Subject

_CHECK = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"
_LAUNCH = "  scale_thread_per_element<<<"


class UsedIgnore(Rule):
    """A comment `cudasmith: ignore[...]` sets something aside.

    One that does not is left over from code that is gone, or stands on another line than the finding:
    it hides the next mistake made there.
    """

    code = "CS902"
    name = "used-ignore"
    severity = severities("info", "info")
    BAD = (
        edit(("import torch\n", "import torch  # cudasmith: ignore[CS404] HERE\n")),
        edit((_LAUNCH, "  // cudasmith: ignore[CS405] HERE\n" + _LAUNCH)),
        edit((_CHECK, ""), ("  if (n == 0)", "  // cudasmith: ignore[CS405] HERE\n  if (n == 0)")),
    )
    GOOD = (
        CORRECT,
        edit((_CHECK, ""), (_LAUNCH, "  // cudasmith: ignore[CS405]\n" + _LAUNCH)),
        edit((_CHECK, ""), ("CUDAStream()>>>(", "CUDAStream()>>>(  // cudasmith: ignore[CS405]")),
    )

    def check(self, subject: Subject) -> Verdicts:
        if subject.file.fault:
            return  # the other rules have seen nothing
        named = {code for ignore in subject.file.ignores for code in ignore.codes} - {self.code}
        rules = {r.code: r for r in all_rules() if r.code in named}
        used = {(code, v.span.line) for code, rule in rules.items() for v in rule.check(subject) if v.span}
        for ignore in subject.file.ignores:
            for code in ignore.codes:
                if code in rules and (code, ignore.line) not in used:
                    message = f"{code} finds nothing to ignore in line {ignore.line}"
                    yield self.found(subject, ignore.span, message, help="remove the comment, or move it")
